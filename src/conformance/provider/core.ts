import type { CoreFlow } from '../engine/core.ts';

/** What a provider has to be judged on before anybody says that it conforms. */
export const PROVIDER_CORE: readonly CoreFlow[] = [
  {
    story: 'a sign-in',
    checks: ['device-sign-in.signed-in', 'device-sign-in.id-token-signature'],
  },
  { story: 'the mint of an ID-JAG', checks: ['mint.minted', 'mint.signed'], required: true },
  {
    story: 'the exchange of an ID token for an ID-JAG',
    checks: ['idp-exchange.minted', 'idp-exchange.signed'],
  },
  {
    story: 'the published keys',
    checks: ['provider-discovery.key-set', 'provider-discovery.keys-public'],
    required: true,
  },
];
