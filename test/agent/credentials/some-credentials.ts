import { addRegistration } from '../../../src/agent/credentials/change-credentials.ts';
import type { CredentialStore, Registration } from '../../../src/agent/index.ts';
import { Secret } from '../../../src/runtime/index.ts';

export const ISSUER = 'https://service.example';
export const service = { issuer: ISSUER, resource: ISSUER, name: 'Example', clockOffset: -1500 };

export function registration(id: string, over: Partial<Registration> = {}): Registration {
  return {
    id,
    type: 'anonymous',
    issuer: ISSUER,
    resource: ISSUER,
    dialect: 'flat',
    createdAt: 1,
    assertion: { value: new Secret(`assertion-of-${id}`), expiresAt: null },
    token: { value: new Secret(`token-of-${id}`), scopes: ['api.read'], expiresAt: 9e15 },
    preClaimScopes: ['api.read'],
    postClaimScopes: ['api.read', 'api.write'],
    claim: {
      token: new Secret(`claim-of-${id}`),
      url: null,
      expiresAt: 2,
      email: 'alice@example.com',
      attempt: {
        kind: 'type_there',
        userCode: new Secret('012345'),
        verificationUri: `${ISSUER}/login`,
        expiresAt: 3,
        interval: 10_000,
        ended: 'denied',
      },
    },
    claimed: false,
    email: null,
    provider: null,
    ended: null,
    ...over,
  };
}

export function add(store: CredentialStore, id: string): Promise<void> {
  return store.update((current) => [
    addRegistration(current, service, registration(id)),
    undefined,
  ]);
}
