import type { CredentialStore } from '../../../src/agent/index.ts';
import { Bench, ENDPOINT, later, SERVICE, serverMetadata } from './bench.ts';
import { json } from './fake-web.ts';

export const CODE_ENDPOINT = `POST ${SERVICE}/agent/identity/claim/complete`;

/** Answers as the reconciled specification has them. */
export const NESTED = {
  attempt: (over: object = {}) => ({
    verification_uri: `${SERVICE}/agent-claim?token=cvt_1`,
    expires_at: later(10),
    ...over,
  }),
  claim: (over: object = {}) => ({
    token: 'clm_1',
    expires_at: later(24 * 60),
    url: `${SERVICE}/agent/identity/claim`,
    ...over,
  }),
  identity: (over: object = {}) => ({ assertion: 'assertion-1', expires_at: later(60), ...over }),
  anonymous: (over: object = {}) => ({
    id: 'reg_1',
    type: 'anonymous',
    identity: NESTED.identity(),
    claim: NESTED.claim(),
    scopes: { pre_claim: ['api.read'], post_claim: ['api.read', 'api.write'] },
    ...over,
  }),
  serviceAuth: (over: object = {}) => ({
    id: 'reg_2',
    type: 'service_auth',
    scopes: { post_claim: ['api.read', 'api.write'] },
    claim: NESTED.claim({ attempt: NESTED.attempt() }),
    ...over,
  }),
  started: (over: object = {}) => ({
    id: 'reg_1',
    type: 'service_auth',
    attempt: NESTED.attempt(over),
  }),
  claimed: (over: object = {}) => ({
    id: 'reg_1',
    status: 'claimed',
    identity: NESTED.identity({
      assertion: 'assertion-v2',
      refresh_token: { value: 'art_1', expires_at: later(30 * 24 * 60) },
      ...over,
    }),
  }),
} as const;

export const ALICE = 'alice@example.com';

/** A service that lists no claim grant, and an agent that found it. */
export function nestedBench(over: object = {}, store?: CredentialStore): Bench {
  const bench = new Bench(store && { store });
  const grant_types_supported = ['urn:ietf:params:oauth:grant-type:jwt-bearer'];
  bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata({ grant_types_supported, ...over })));
  return bench;
}

/** Registered by email: the page waits for its user. */
export async function byEmail(over: object = {}, store?: CredentialStore): Promise<Bench> {
  const bench = nestedBench({}, store);
  bench.web.on(ENDPOINT.identity, json(NESTED.serviceAuth(over)));
  await bench.agent.register({ service: SERVICE, type: 'service_auth', loginHint: ALICE });
  return bench;
}

/** Registered anonymously; no attempt is open. */
export async function anonymously(over: object = {}): Promise<Bench> {
  const bench = nestedBench();
  bench.web.on(ENDPOINT.identity, json(NESTED.anonymous(over)));
  await bench.agent.register({ service: SERVICE, type: 'anonymous' });
  return bench;
}
