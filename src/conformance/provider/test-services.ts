import { ConnectionDropped, serve } from '../../mock-service/index.ts';
import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../../protocol/index.ts';
import { type Clock, type Random, silentLog } from '../../runtime/index.ts';
import type { Invented } from '../engine/invented.ts';
import type { Recorder } from '../http/recorder.ts';
import { UNTRUSTED_CERTIFICATE } from '../http/untrusted-certificate.ts';
import { makeKey } from '../jwt/forge.ts';
import { openJwt } from '../jwt/open.ts';
import { json, type ServiceAnswer, type ServiceTraits, TestService } from './test-service.ts';

export interface TestServicesOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly invented: Invented;
  /** 0: any free port. */
  readonly port: number;
  /** The URL by which the provider reaches the server. Default: its loopback URL. */
  readonly base?: string | undefined;
}

type ServerName = 'base' | 'elsewhere' | 'untrusted';

/** The suite's services, each below its own path of one server, and two other servers. */
export class TestServices {
  readonly base: string;
  /** A server of another origin, and the requests that came there: `GET /path`. */
  readonly elsewhere: { readonly origin: string; readonly hits: string[] };
  /** A server with a self-signed certificate. */
  readonly untrusted: { readonly origin: string; readonly hits: string[] };
  readonly traits: ServiceTraits;
  /** The recorder of the scenario that began last: for requests to servers that are no scenario's own. */
  recorder: Recorder | undefined;
  readonly #byPath = new Map<string, TestService>();
  /** Events that an earlier service of the same issuer received, by `jti`: a late retry is not of this one. */
  readonly #earlier = new Set<unknown>();
  readonly #random: Random;
  readonly #clock: Clock;
  #close: () => Promise<void> = async () => {};

  private constructor(options: TestServicesOptions, origins: Readonly<Record<ServerName, string>>) {
    this.base = options.base ?? origins.base;
    this.elsewhere = { origin: origins.elsewhere, hits: [] };
    this.untrusted = { origin: origins.untrusted, hits: [] };
    const { invented } = options;
    this.traits = {
      name: invented.name(),
      scopes: [invented.scope(), invented.scope()],
      claimGrant: `urn:${invented.word()}:agent-auth:grant-type:claim`,
      listedEvent: `https://schemas.${invented.host()}/events/agent/auth/identity/assertion/revoked`,
      jwk: makeKey().jwk,
    };
    this.#random = options.random;
    this.#clock = options.clock;
  }

  static async start(options: TestServicesOptions): Promise<TestServices> {
    let services: TestServices | undefined;
    const handlerOf = (name: ServerName) => (request: Request) =>
      services === undefined
        ? Promise.resolve(new Response(null, { status: 503 }))
        : services.#answer(name, request);
    const listen = (name: ServerName, port: number) =>
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

  /** A new service, whose requests are of one scenario. */
  fresh(recorder?: Recorder): TestService {
    const path = `/s-${Buffer.from(this.#random.bytes(5)).toString('hex')}`;
    return this.at(`${this.base}${path}`, recorder);
  }

  /** The service of an issuer below the server, without any deliveries. */
  at(issuer: string, recorder?: Recorder): TestService {
    const path = pathOf(issuer);
    for (const { body } of this.#byPath.get(path)?.deliveries ?? []) this.#earlier.add(jtiOf(body));
    const service = new TestService(issuer, this.traits, recorder);
    this.#byPath.set(path, service);
    return service;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #answer(name: ServerName, request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const body = await request.text();
    const own = name === 'base' ? this.#serviceOf(readPlace(pathname).path)?.recorder : undefined;
    const exchange = (own ?? this.recorder)?.begin({
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
    name: ServerName,
    request: Request,
    pathname: string,
    body: string,
    at: number,
    exchange: number,
  ): ServiceAnswer {
    const { method, headers } = request;
    const hit = `${method} ${pathname}`;
    if (name !== 'base') {
      this[name].hits.push(hit);
      return { status: 404 };
    }
    const { wellKnown, path } = readPlace(pathname);
    const service = this.#serviceOf(path);
    if (service === undefined) return { status: 404 };
    service.hits.push(hit);
    const below = path.slice(pathOf(service.issuer).length);
    if (wellKnown === PROTECTED_RESOURCE_PATH) {
      return json(200, service.resourceDocument(service.issuer + below));
    }
    // An extra path would be another issuer's (RFC 8414 §3.3).
    if (wellKnown === AUTHORIZATION_SERVER_PATH) {
      return below === '' ? service.publishMetadata() : { status: 404 };
    }
    if (method === 'POST' && this.#earlier.has(jtiOf(body))) return { status: 202 };
    return service.answer(method, below, { at, method, headers, body, exchange });
  }

  /** The service with the longest path that a path is below. */
  #serviceOf(path: string): TestService | undefined {
    for (let end = path.length; end >= 0; end = path.lastIndexOf('/', end - 1)) {
      const found = this.#byPath.get(path.slice(0, end));
      if (found !== undefined || end === 0) return found;
    }
    return undefined;
  }
}

/** The path of an issuer, without a final slash. */
function pathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}

function jtiOf(body: string): unknown {
  return openJwt(body.trim())?.claims['jti'] ?? Symbol('none');
}

const WELL_KNOWN = [AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH] as const;

/** A well-known document and what it is of; its path stands inserted (RFC 8414 §3.1) or, as many read it, appended. */
function readPlace(pathname: string): { readonly wellKnown?: string; readonly path: string } {
  for (const wellKnown of WELL_KNOWN) {
    if (pathname === wellKnown || pathname.startsWith(`${wellKnown}/`)) {
      return { wellKnown, path: pathname.slice(wellKnown.length) };
    }
    if (pathname.endsWith(wellKnown)) {
      return { wellKnown, path: pathname.slice(0, -wellKnown.length) };
    }
  }
  return { path: pathname };
}
