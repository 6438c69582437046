import {
  Agent,
  AgentError,
  type AgentSettings,
  type CredentialStore,
  createMemoryStore,
} from '../../../src/agent/index.ts';
import {
  FakeClock,
  fakeSleep,
  MemoryLog,
  NetworkError,
  SeededRandom,
  type Sleep,
} from '../../../src/runtime/index.ts';
import { FakeWeb, json } from './fake-web.ts';

export const SERVICE = 'https://service.example';
export const CLAIM_GRANT = 'urn:acme:agent-auth:grant-type:claim';

export const ENDPOINT = {
  resourceMetadata: `GET ${SERVICE}/.well-known/oauth-protected-resource`,
  serverMetadata: `GET ${SERVICE}/.well-known/oauth-authorization-server`,
  identity: `POST ${SERVICE}/agent/identity`,
  claim: `POST ${SERVICE}/agent/identity/claim`,
  token: `POST ${SERVICE}/oauth2/token`,
  revoke: `POST ${SERVICE}/oauth2/revoke`,
  resource: `GET ${SERVICE}/api/resource`,
} as const;

export function resourceMetadata(over: object = {}): object {
  return { resource: SERVICE, authorization_servers: [SERVICE], resource_name: 'Example', ...over };
}

export function agentAuth(over: object = {}): object {
  return {
    skill: `${SERVICE}/auth.md`,
    identity_endpoint: `${SERVICE}/agent/identity`,
    claim_endpoint: `${SERVICE}/agent/identity/claim`,
    events_endpoint: `${SERVICE}/agent/event/notify`,
    identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
    identity_assertion: { assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'] },
    ...over,
  };
}

export function serverMetadata(over: object = {}): object {
  return {
    issuer: SERVICE,
    resource: SERVICE,
    token_endpoint: `${SERVICE}/oauth2/token`,
    revocation_endpoint: `${SERVICE}/oauth2/revoke`,
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer', CLAIM_GRANT],
    agent_auth: agentAuth(),
    ...over,
  };
}

/** The start of the fake clock, as the service writes times. */
const START = Date.UTC(2026, 0, 1);

export function later(minutes: number): string {
  return new Date(START + minutes * 60_000).toISOString();
}

export const ANSWER = {
  anonymous: (over: object = {}) => ({
    registration_id: 'reg_1',
    registration_type: 'anonymous',
    identity_assertion: 'assertion-1',
    assertion_expires: later(24 * 60),
    pre_claim_scopes: ['api.read'],
    post_claim_scopes: ['api.read', 'api.write'],
    claim_url: `${SERVICE}/agent/identity/claim`,
    claim_token: 'clm_1',
    claim_token_expires: later(24 * 60),
    ...over,
  }),
  block: (over: object = {}) => ({
    user_code: '012345',
    verification_uri: `${SERVICE}/login?return_to=%2Fclaim`,
    expires_in: 600,
    interval: 5,
    ...over,
  }),
  serviceAuth: (over: object = {}) => ({
    registration_id: 'reg_2',
    registration_type: 'service_auth',
    claim_url: `${SERVICE}/agent/identity/claim`,
    claim_token: 'clm_2',
    claim_token_expires: later(24 * 60),
    post_claim_scopes: ['api.read', 'api.write'],
    claim: ANSWER.block(),
    ...over,
  }),
  identityAssertion: (over: object = {}) => ({
    registration_id: 'reg_3',
    registration_type: 'identity_assertion',
    identity_assertion: 'assertion-3',
    assertion_expires: later(60),
    scopes: ['api.read', 'api.write'],
    ...over,
  }),
  attempt: (over: object = {}) => ({
    registration_id: 'reg_1',
    claim_attempt_id: 'cla_1',
    status: 'initiated',
    expires_at: later(10),
    claim_attempt: ANSWER.block(over),
  }),
  token: (over: object = {}) => ({
    access_token: 'at_1',
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'api.read',
    ...over,
  }),
  claimed: (over: object = {}) => ({
    access_token: 'at_claimed',
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'api.read api.write',
    identity_assertion: 'assertion-v2',
    assertion_expires: later(30 * 24 * 60),
    ...over,
  }),
} as const;

export function refusal(error: string, status = 400, over: object = {}): Response {
  return json({ error, error_description: 'words of the service', ...over }, status);
}

export const pending = () => refusal('authorization_pending');

export function lost(): NetworkError {
  return new NetworkError('reset', 'The connection broke off.');
}

/** A JWT of a shape that nobody verifies here. */
export function jwt(payload: object, header: object = { typ: 'oauth-id-jag+jwt', alg: 'ES256' }) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(payload)}.c2ln`;
}

/** An agent on a fake clock and a scripted network, with a service that is found. */
export class Bench {
  readonly clock = new FakeClock(START);
  readonly web = new FakeWeb(() => this.clock.now());
  readonly log = new MemoryLog();
  readonly sleeps: number[] = [];
  readonly store: CredentialStore;
  readonly agent: Agent;
  /** Runs once, during the next sleep. */
  meanwhile: (() => void | Promise<void>) | undefined;

  constructor(options: AgentSettings & { readonly store?: CredentialStore } = {}) {
    const { store = createMemoryStore(), ...agentOptions } = options;
    this.store = store;
    this.agent = this.another(agentOptions);
    this.web
      .on(ENDPOINT.resourceMetadata, json(resourceMetadata()))
      .on(ENDPOINT.serverMetadata, json(serverMetadata()))
      .on(ENDPOINT.token, json(ANSWER.token()));
  }

  /** Another process over the same store. */
  another(
    options: AgentSettings & { readonly sleep?: Sleep; readonly store?: CredentialStore } = {},
  ): Agent {
    const { clock, log } = this;
    const sleep = fakeSleep(clock, async (ms) => {
      this.sleeps.push(ms);
      const act = this.meanwhile;
      this.meanwhile = undefined;
      await act?.();
    });
    const { fetch } = this.web;
    const random = new SeededRandom(3);
    return new Agent({ fetch, clock, sleep, random, log, store: this.store, ...options });
  }

  /** Registered anonymously, with `at_1` and `assertion-1`. */
  async anonymous(over: object = {}): Promise<void> {
    this.web.on(ENDPOINT.identity, json(ANSWER.anonymous(over)));
    await this.agent.register({ service: SERVICE, type: 'anonymous' });
  }

  /** Registered by email; a claim attempt is open. */
  async serviceAuth(over: object = {}): Promise<void> {
    this.web.on(ENDPOINT.identity, json(ANSWER.serviceAuth(over)));
    await this.agent.register({
      service: SERVICE,
      type: 'service_auth',
      loginHint: 'alice@example.com',
    });
  }

  /** The one registration in the store. */
  async stored() {
    const { services } = await this.store.read();
    const registration = services[0]?.registrations.at(-1);
    if (registration === undefined) throw new Error('Nothing is registered.');
    return registration;
  }
}

/** The error that a promise ends in. */
export async function failure(promise: Promise<unknown>): Promise<AgentError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AgentError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}
