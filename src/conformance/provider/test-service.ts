import {
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  MEDIA_TYPE,
} from '../../protocol/index.ts';
import type { Sleep } from '../../runtime/index.ts';
import type { Recorder } from '../http/recorder.ts';

/** What a service of the suite answers with: an answer, or a dropped connection. */
export type ServiceAnswer =
  | 'drop'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

/** A request to the events endpoint of one of the suite's services. */
interface Delivery {
  /** Milliseconds since the epoch, of the suite. */
  readonly at: number;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
  /** Number of its exchange. */
  readonly exchange: number;
}

/** What all services of a run have in common. */
export interface ServiceTraits {
  /** Its display name: `resource_name`. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** The claim grant and the event type of an invented vendor. */
  readonly claimGrant: string;
  readonly listedEvent: string;
  /** The public key of its assertions. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;

const ACCEPTED: ServiceAnswer = { status: 202 };

/** The event type that the specification shows; its vendor is a placeholder (agent-registration.md, Events). */
const SHOWN_EVENT = 'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked';

/** Its URLs, below its issuer. */
const PATHS = {
  skill: '/auth.md',
  identity: '/agent/identity',
  claim: '/agent/identity/claim',
  events: '/agent/event/notify',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  keys: '/.well-known/jwks.json',
} as const;

/** A service that the suite runs: an audience with whole metadata and an events endpoint. */
export class TestService {
  readonly issuer: string;
  readonly traits: ServiceTraits;
  readonly deliveries: Delivery[] = [];
  /** Every request to it, `GET /path`. */
  readonly hits: string[] = [];
  /** How often its server metadata was asked for. */
  metadataReads = 0;
  /** The answers to the next events, in order; then every event is accepted. */
  readonly answers: ServiceAnswer[] = [];
  /** Replaces members of its metadata; undefined leaves one out. */
  metadata: Json = {};
  /** Replaces members of `agent_auth`; undefined leaves one out. */
  agentAuth: Json = {};
  /** The event types that it lists: of its own vendor, and as the specification shows it. */
  listedEvents: readonly string[];
  /** Its metadata redirects to this URL. */
  metadataMovedTo: string | undefined;
  readonly #waiting = new Set<() => void>();
  /** The recorder of the scenario that it is a service of. */
  readonly recorder: Recorder | undefined;

  constructor(issuer: string, traits: ServiceTraits, recorder?: Recorder) {
    this.issuer = issuer;
    this.recorder = recorder;
    this.traits = traits;
    this.listedEvents = [traits.listedEvent, SHOWN_EVENT];
  }

  get eventsEndpoint(): string {
    return this.issuer + PATHS.events;
  }

  /** Metadata of a resource of it, by default of the service itself (RFC 9728 §2). */
  resourceDocument(resource = this.issuer): Json {
    return {
      resource,
      resource_name: this.traits.name,
      authorization_servers: [this.issuer],
      scopes_supported: this.traits.scopes,
      bearer_methods_supported: ['header'],
    };
  }

  /** RFC 8414 §2, with every field of agent-registration.md, Discovery metadata. */
  document(): Json {
    const { issuer, traits } = this;
    return {
      ...this.resourceDocument(),
      issuer,
      token_endpoint: issuer + PATHS.token,
      revocation_endpoint: issuer + PATHS.revocation,
      jwks_uri: issuer + PATHS.keys,
      grant_types_supported: [JWT_BEARER_GRANT, traits.claimGrant],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE],
      ...this.metadata,
      agent_auth: {
        skill: issuer + PATHS.skill,
        identity_endpoint: issuer + PATHS.identity,
        claim_endpoint: issuer + PATHS.claim,
        events_endpoint: this.eventsEndpoint,
        identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
        identity_assertion: { assertion_types_supported: [ID_JAG_TOKEN_TYPE] },
        events_supported: this.listedEvents,
        ...this.agentAuth,
      },
    };
  }

  /** Its server metadata, wherever it is asked for. */
  publishMetadata(): ServiceAnswer {
    this.metadataReads += 1;
    return this.metadataMovedTo === undefined
      ? json(200, this.document())
      : { status: 302, headers: { location: this.metadataMovedTo } };
  }

  /** Answers at a path below its issuer. */
  answer(method: string, path: string, delivery: Delivery): ServiceAnswer {
    if (path === PATHS.events) return this.#receive(delivery);
    if (method === 'POST') {
      const { identity, claim, token, revocation } = PATHS;
      if (path === revocation) return { status: 200 };
      return [identity, claim, token].some((known) => known === path)
        ? json(400, { error: 'invalid_request' })
        : { status: 404 };
    }
    if (path === PATHS.keys) return json(200, { keys: [this.traits.jwk] });
    if (path === PATHS.skill) {
      return {
        status: 200,
        headers: { 'content-type': 'text/markdown; charset=utf-8' },
        body: `# ${this.traits.name}: how an agent gets access\n`,
      };
    }
    return { status: 404 };
  }

  #receive(delivery: Delivery): ServiceAnswer {
    this.deliveries.push(delivery);
    for (const wake of this.#waiting) wake();
    return this.answers.shift() ?? ACCEPTED;
  }

  /**
   * Waits for so many deliveries, at most `within` milliseconds. Resolves to whether they came; rejects
   * as `sleep` does when the run is interrupted.
   */
  async delivered(count: number, within: number, sleep: Sleep): Promise<boolean> {
    const isThere = () => this.deliveries.length >= count;
    if (isThere()) return true;
    const over = new AbortController();
    let wake = () => {};
    const came = new Promise<void>((resolve) => {
      wake = () => {
        if (isThere()) resolve();
      };
    });
    this.#waiting.add(wake);
    try {
      await Promise.race([came, sleep(within, over.signal)]);
    } finally {
      this.#waiting.delete(wake);
      over.abort();
    }
    return isThere();
  }
}

/** No cache keeps it: what a service says changes from one scenario to the next. */
export function json(status: number, body: Json): ServiceAnswer {
  return {
    status,
    headers: { 'content-type': MEDIA_TYPE.json, 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
