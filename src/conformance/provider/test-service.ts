import { ConnectionDropped, serve } from '../../mock-service/index.ts';
import { MEDIA_TYPE } from '../../protocol/index.ts';
import { type Clock, type Random, type Sleep, silentLog } from '../../runtime/index.ts';
import type { Invented } from '../engine/invented.ts';
import type { Recorder } from '../http/recorder.ts';
import { UNTRUSTED_CERTIFICATE } from '../http/untrusted-certificate.ts';

/** A service's response to an event: an answer, or a dropped connection. */
export type EventAnswer =
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

const ACCEPTED: EventAnswer = { status: 202 };

/** A service that the suite runs: an audience with metadata and an events endpoint. */
export class TestService {
  readonly issuer: string;
  readonly deliveries: Delivery[] = [];
  /** Every request to it, `GET /path`. */
  readonly hits: string[] = [];
  /** For the next events, in order; then every event is accepted. */
  readonly answers: EventAnswer[] = [];
  /** Replaces members of its metadata; undefined leaves one out. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Replaces members of `agent_auth`; undefined leaves one out. */
  agentAuth: Readonly<Record<string, unknown>> = {};
  /** Its metadata redirects to this URL. */
  metadataMovedTo: string | undefined;
  /** The event type that it lists. */
  readonly listedEvent: string;
  readonly #waiting = new Set<() => void>();

  constructor(issuer: string, listedEvent: string) {
    this.issuer = issuer;
    this.listedEvent = listedEvent;
  }

  get eventsEndpoint(): string {
    return `${this.issuer}/agent/event/notify`;
  }

  document(): Readonly<Record<string, unknown>> {
    return {
      issuer: this.issuer,
      token_endpoint: `${this.issuer}/oauth2/token`,
      jwks_uri: `${this.issuer}/.well-known/jwks.json`,
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types_supported: [],
      ...this.metadata,
      agent_auth: {
        identity_endpoint: `${this.issuer}/agent/identity`,
        events_endpoint: this.eventsEndpoint,
        events_supported: [this.listedEvent],
        identity_types_supported: ['identity_assertion'],
        ...this.agentAuth,
      },
    };
  }

  receive(delivery: Delivery): EventAnswer {
    this.deliveries.push(delivery);
    for (const wake of this.#waiting) wake();
    return this.answers.shift() ?? ACCEPTED;
  }

  /** Waits for so many deliveries, at most `within` milliseconds. Resolves to whether they came. */
  async delivered(count: number, within: number, sleep: Sleep): Promise<boolean> {
    const over = new AbortController();
    let timedOut = false;
    sleep(within, over.signal).then(
      () => {
        timedOut = true;
        for (const wake of this.#waiting) wake();
      },
      () => {},
    );
    while (this.deliveries.length < count && !timedOut) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
    over.abort();
    return this.deliveries.length >= count;
  }
}

export interface TestServicesOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly invented: Invented;
  /** 0: any free port. */
  readonly port: number;
  /** The URL by which the provider reaches the server. Default: its loopback URL. */
  readonly base?: string | undefined;
}

const EVENTS_PATH = '/agent/event/notify';
const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** The suite's services, each below its own path of one server, and two other servers. */
export class TestServices {
  readonly base: string;
  /** Another origin. Its requests, `GET /path`. */
  readonly elsewhere: { readonly origin: string; readonly hits: string[] };
  /** A server with a self-signed certificate. */
  readonly untrusted: { readonly origin: string; readonly hits: string[] };
  /** The event type that the services list, of an invented vendor. */
  readonly listedEvent: string;
  /** Of the current scenario. */
  recorder: Recorder | undefined;
  readonly #byPath = new Map<string, TestService>();
  readonly #random: Random;
  readonly #clock: Clock;
  #close: () => Promise<void> = async () => {};

  private constructor(
    options: TestServicesOptions,
    origins: Readonly<Record<'base' | 'elsewhere' | 'untrusted', string>>,
  ) {
    this.base = options.base ?? origins.base;
    this.elsewhere = { origin: origins.elsewhere, hits: [] };
    this.untrusted = { origin: origins.untrusted, hits: [] };
    this.listedEvent = `https://schemas.${options.invented.host()}/events/identity/assertion/revoked`;
    this.#random = options.random;
    this.#clock = options.clock;
  }

  static async start(options: TestServicesOptions): Promise<TestServices> {
    let services: TestServices | undefined;
    const handlerOf = (name: 'base' | 'elsewhere' | 'untrusted') => (request: Request) =>
      services === undefined
        ? Promise.resolve(new Response(null, { status: 503 }))
        : services.#answer(name, request);
    const listen = (name: 'base' | 'elsewhere' | 'untrusted', port: number) =>
      serve({
        host: '127.0.0.1',
        port,
        log: silentLog,
        build: async () => handlerOf(name),
        ...(name === 'untrusted' && { tls: UNTRUSTED_CERTIFICATE }),
      });
    const base = await listen('base', options.port);
    const elsewhere = await listen('elsewhere', 0);
    const untrusted = await listen('untrusted', 0);
    const origins = {
      base: base.origin,
      elsewhere: elsewhere.origin,
      untrusted: untrusted.origin,
    };
    services = new TestServices(options, origins);
    services.#close = async () => {
      for (const server of [base, elsewhere, untrusted]) await server.close();
    };
    return services;
  }

  /** A new service. */
  fresh(): TestService {
    const path = `/s-${Buffer.from(this.#random.bytes(5)).toString('hex')}`;
    return this.at(`${this.base}${path}`);
  }

  /** The service of an issuer below the server, without any deliveries. */
  at(issuer: string): TestService {
    const service = new TestService(issuer, this.listedEvent);
    this.#byPath.set(new URL(issuer).pathname.replace(/\/$/, ''), service);
    return service;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #answer(name: 'base' | 'elsewhere' | 'untrusted', request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const body = await request.text();
    const exchange = this.recorder?.begin({
      from: 'provider',
      to: name === 'base' ? 'service' : name,
      method: request.method,
      url: request.url,
      headers: [...request.headers],
      body: body === '' ? undefined : body,
    });
    const at = this.#clock.now();
    const answer = this.#decide(name, request, pathname, body, at, exchange?.number ?? 0);
    if (answer === 'drop') {
      exchange?.fail('The suite closed the connection without an answer.');
      throw new ConnectionDropped();
    }
    const response = new Response(answer.body ?? null, {
      status: answer.status,
      headers: answer.headers ?? {},
    });
    exchange?.end({
      status: answer.status,
      headers: [...response.headers],
      body: answer.body ?? '',
      duration: 0,
    });
    return response;
  }

  #decide(
    name: 'base' | 'elsewhere' | 'untrusted',
    request: Request,
    pathname: string,
    body: string,
    at: number,
    exchange: number,
  ): EventAnswer {
    const hit = `${request.method} ${pathname}`;
    if (name !== 'base') {
      this[name].hits.push(hit);
      return { status: 404 };
    }
    const path = pathname.startsWith(METADATA_PATH)
      ? pathname.slice(METADATA_PATH.length)
      : `/${pathname.split('/')[1] ?? ''}`;
    const service = this.#byPath.get(path);
    if (service === undefined) return { status: 404 };
    service.hits.push(hit);
    if (pathname.startsWith(METADATA_PATH)) return metadataOf(service);
    if (pathname !== new URL(service.issuer).pathname + EVENTS_PATH) return { status: 404 };
    return service.receive({
      at,
      method: request.method,
      headers: request.headers,
      body,
      exchange,
    });
  }
}

function metadataOf(service: TestService): EventAnswer {
  return service.metadataMovedTo === undefined
    ? {
        status: 200,
        headers: { 'content-type': MEDIA_TYPE.json },
        body: JSON.stringify(service.document()),
      }
    : { status: 302, headers: { location: service.metadataMovedTo } };
}
