import type { IdentityProof, RegistrationGrant } from '../dialects/index.ts';
import type { Registration, Service } from '../model.ts';
import { addRegistration } from '../records/change-credentials.ts';
import { peerOf, type Tools } from '../tools.ts';

export interface WhoRegistered {
  readonly type: IdentityProof['type'];
  readonly email: string | null;
  readonly provider: string | null;
}

/** Stores what a registration gave, before anything else can fail. */
export async function storeRegistration(
  tools: Tools,
  service: Service,
  grant: RegistrationGrant,
  { type, email, provider }: WhoRegistered,
): Promise<Registration> {
  const registration: Registration = {
    id: grant.id,
    type,
    issuer: service.issuer,
    dialect: service.dialect,
    createdAt: tools.context.clock.now(),
    assertion: grant.assertion,
    token: null,
    preClaimScopes: grant.preClaimScopes,
    postClaimScopes: grant.postClaimScopes,
    claim: grant.claim && { ...grant.claim, email },
    claimed: type === 'identity_assertion' && grant.claim === null,
    email,
    provider,
    ended: null,
  };
  const { issuer, resource, name = null } = service;
  const clockOffset = peerOf(tools, issuer).offset;
  await tools.store.update((current) => [
    addRegistration(current, { issuer, resource, name, clockOffset }, registration),
    undefined,
  ]);
  return registration;
}
