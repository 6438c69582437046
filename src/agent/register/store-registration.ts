import { quietFrom } from '../claim/settle-claim.ts';
import { addRegistration, livingOther } from '../credentials/change-credentials.ts';
import type { IdentityProof, RegistrationGrant } from '../dialects/index.ts';
import type { Registration, Service } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';

export interface WhoRegistered {
  readonly type: IdentityProof['type'];
  readonly email: string | null;
  readonly provider: string | null;
}

export interface Stored {
  readonly registration: Registration;
  /** The one in use before, where it still lives. */
  readonly previous: Registration | undefined;
}

/** Stores what a registration gave, before anything else can fail. */
export async function storeRegistration(
  tools: Tools,
  service: Service,
  grant: RegistrationGrant,
  { type, email, provider }: WhoRegistered,
): Promise<Stored> {
  const { issuer, resource, name = null } = service;
  const peer = peerOf(tools, issuer);
  const registration: Registration = {
    id: grant.id,
    type,
    issuer,
    resource,
    dialect: service.dialect,
    createdAt: tools.context.clock.now(),
    assertion: grant.assertion,
    token: null,
    preClaimScopes: grant.preClaimScopes,
    postClaimScopes: grant.postClaimScopes,
    claim: grant.claim && {
      ...grant.claim,
      email,
      attempt: grant.claim.attempt && quietFrom(grant.claim.attempt, peer.now()),
    },
    claimed: type === 'identity_assertion' && grant.claim === null,
    email,
    provider,
    ended: null,
  };
  const previous = await tools.store.update((current) => [
    addRegistration(current, { issuer, resource, name, clockOffset: peer.offset }, registration),
    livingOther(current, registration),
  ]);
  return { registration, previous };
}
