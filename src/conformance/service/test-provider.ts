import { serve } from '../../mock-service/index.ts';
import {
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  JWT_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import { type Clock, type Random, silentLog } from '../../runtime/index.ts';
import { forgeJwt, makeKey, type TestKey } from '../jwt/forge.ts';

/** A request that a peer of ours received. */
export interface Hit {
  readonly at: number;
  readonly method: string;
  readonly path: string;
}

export interface MintOptions {
  /** Merged over the right claims; undefined leaves a claim out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Merged over the right header; undefined leaves a member out. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Default: the provider's first key. */
  readonly key?: TestKey;
}

export interface ForWhom {
  /** The audience: the service's issuer. */
  readonly audience: string;
  /** The service's time, milliseconds. */
  readonly now: number;
  readonly subject: string;
  readonly email: string;
}

/** The documents of clients below an issuer: a right one, and what describes nobody. */
export const CLIENT_PATHS = {
  right: '/client.json',
  mismatch: '/client-of-another.json',
  secret: '/client-with-secret.json',
  redirect: '/client-elsewhere.json',
} as const;

type Jwk = Readonly<Record<string, unknown>>;

interface PublishedKeys {
  readonly keys: readonly Jwk[];
  readonly place: 'first' | 'last';
}

/**
 * A provider that the suite runs: it publishes its documents on loopback, and mints right and wrong
 * tokens. Several may share one server, each below its own path.
 */
export class TestProvider {
  readonly issuer: string;
  /** Answers 503 instead of the key set. */
  down = false;
  /** Answers a redirect to this URL instead of the key set. */
  redirect: string | undefined;
  /** The keys of a set that it publishes beside its own. */
  moved: readonly Jwk[] = [];
  readonly hits: Hit[] = [];
  /** Whether anybody may have had a reason to fetch its keys. */
  hasMinted = false;
  readonly keys: readonly [TestKey, ...TestKey[]];
  /** The key of the client that is described beside it: that signs in nobody, and redeems ID-JAGs. */
  readonly clientKey = makeKey();
  readonly #further = new Set<PublishedKeys>();
  readonly #random: Random;

  constructor(issuer: string, random: Random, keys: TestProvider['keys'] = [makeKey()]) {
    this.issuer = issuer;
    this.#random = random;
    this.keys = keys;
  }

  /** The key set that is published now. */
  get published(): readonly Jwk[] {
    const at = (place: PublishedKeys['place']) =>
      [...this.#further].filter((each) => each.place === place).flatMap(({ keys }) => keys);
    return [...at('first'), ...this.keys.map(({ jwk }) => jwk), ...at('last')];
  }

  /** Publishes further keys, before its own or after them, until the returned function is called. */
  publish(keys: readonly Jwk[], place: PublishedKeys['place'] = 'last'): () => void {
    const further = { keys, place };
    this.#further.add(further);
    return () => this.#further.delete(further);
  }

  get jwksUri(): string {
    return `${this.issuer}/.well-known/jwks.json`;
  }

  get movedUri(): string {
    return `${this.issuer}/moved/jwks.json`;
  }

  get clientId(): string {
    return `${this.issuer}/agent-auth.json`;
  }

  /** The URL of a client that authenticates with {@link clientKey}. */
  get redeemingClientId(): string {
    return this.issuer + CLIENT_PATHS.right;
  }

  /** An ID-JAG: a right one, but for what the options change. */
  mintIdJag({ audience, now, subject, email }: ForWhom, options: MintOptions = {}): string {
    this.hasMinted = true;
    const key = options.key ?? this.keys[0];
    const seconds = Math.floor(now / 1000);
    return forgeJwt(
      { alg: key.algorithm, typ: JWT_TYPE.idJag, kid: key.kid, ...options.header },
      {
        iss: this.issuer,
        sub: subject,
        aud: audience,
        client_id: this.clientId,
        jti: this.unique('jag'),
        iat: seconds,
        exp: seconds + 300,
        auth_time: seconds - 10,
        email,
        email_verified: true,
        ...options.claims,
      },
      key,
    );
  }

  /** A Security Event Token: a right one, but for what the options change. */
  mintSet(
    facts: { audience: string; now: number; subject: string; eventType: string },
    options: MintOptions = {},
  ): string {
    const key = options.key ?? this.keys[0];
    return forgeJwt(
      { alg: key.algorithm, typ: JWT_TYPE.securityEvent, kid: key.kid, ...options.header },
      {
        iss: this.issuer,
        sub: facts.subject,
        aud: facts.audience,
        jti: this.unique('set'),
        iat: Math.floor(facts.now / 1000),
        events: { [facts.eventType]: {} },
        ...options.claims,
      },
      key,
    );
  }

  unique(prefix: string): string {
    return `${prefix}-${Buffer.from(this.#random.bytes(12)).toString('hex')}`;
  }

  /** What it publishes at a path below its issuer; undefined for any other path. */
  document(path: string): Response | undefined {
    switch (path) {
      case '/.well-known/jwks.json':
        if (this.down) return new Response(null, { status: 503 });
        if (this.redirect !== undefined) return Response.redirect(this.redirect, 302);
        return Response.json({ keys: this.published });
      case '/moved/jwks.json':
        return Response.json({ keys: this.moved });
      case '/.well-known/oauth-authorization-server':
      case '/.well-known/openid-configuration':
        return Response.json({
          issuer: this.issuer,
          jwks_uri: this.jwksUri,
          token_endpoint: `${this.issuer}/oauth2/token`,
          device_authorization_endpoint: `${this.issuer}/oauth2/device_authorization`,
          grant_types_supported: [DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT],
          response_types_supported: [],
          token_endpoint_auth_methods_supported: ['none'],
          identity_chaining_requested_token_types_supported: [ID_JAG_TOKEN_TYPE],
          scopes_supported: ['openid', 'email'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: [this.keys[0].algorithm],
        });
      // What an ID-JAG needs of it (ID-JAG §8, draft-ietf-oauth-client-id-metadata-document-02 §4).
      case '/agent-auth.json':
        return Response.json({
          client_id: this.clientId,
          client_name: 'Conformance provider',
          client_uri: this.issuer,
          jwks_uri: this.jwksUri,
          grant_types: [TOKEN_EXCHANGE_GRANT, JWT_BEARER_GRANT],
          response_types: [],
          token_endpoint_auth_method: 'none',
          authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE],
        });
      case CLIENT_PATHS.right:
        return Response.json(this.#describeClient(path));
      case CLIENT_PATHS.mismatch:
        return Response.json(this.#describeClient(CLIENT_PATHS.right));
      case CLIENT_PATHS.secret:
        return Response.json({
          ...this.#describeClient(path),
          client_secret: this.unique('secret'),
        });
      case CLIENT_PATHS.redirect:
        return Response.redirect(`${this.issuer}/moved-client.json`, 302);
      case '/moved-client.json':
        return Response.json(this.#describeClient(CLIENT_PATHS.redirect));
      default:
        return undefined;
    }
  }

  /** The metadata document of a client that redeems ID-JAGs. */
  #describeClient(path: string): object {
    return {
      client_id: this.issuer + path,
      client_name: 'Conformance client',
      grant_types: [TOKEN_EXCHANGE_GRANT, JWT_BEARER_GRANT],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: this.clientKey.algorithm,
      jwks: { keys: [this.clientKey.jwk] },
      authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE],
    };
  }
}

export interface TestProviders {
  readonly provider: TestProvider;
  /** A second issuer, which the service trusts as well. */
  readonly other: TestProvider;
  /** An issuer that it does not trust, and must never fetch from. */
  readonly untrusted: TestProvider;
  close(): Promise<void>;
}

/** Whose path it is: below the name, or with the name behind an inserted well-known path (RFC 8414 §3.1). */
function readPath(pathname: string): { name: 'other' | 'untrusted' | 'provider'; path: string } {
  const [, inserted = '', behind = pathname] =
    /^(\/\.well-known\/[^/]+)(\/(?:other|untrusted))$/.exec(pathname) ?? [];
  const [, name, below = ''] = /^\/(other|untrusted)(\/.*)?$/.exec(behind) ?? [];
  return name === 'other' || name === 'untrusted'
    ? { name, path: inserted + below }
    : { name: 'provider', path: pathname };
}

export interface TestProvidersOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** 0: any free port. */
  readonly port: number;
  /** The issuer as configured at the service, where it is not the loopback URL. */
  readonly issuer?: string | undefined;
  /** The provider's first key. Default: a fresh one. */
  readonly key?: TestKey | undefined;
}

/** Serves the providers that the suite runs, on one port of 127.0.0.1. */
export async function startTestProviders(options: TestProvidersOptions): Promise<TestProviders> {
  const { clock, random, port } = options;
  let peers: Omit<TestProviders, 'close'> | undefined;
  const served = await serve({
    host: '127.0.0.1',
    port,
    log: silentLog,
    build: async (origin) => {
      const issuer = options.issuer ?? origin;
      const provider = new TestProvider(issuer, random, [options.key ?? makeKey()]);
      const other = new TestProvider(`${issuer}/other`, random);
      const untrusted = new TestProvider(`${issuer}/untrusted`, random);
      peers = { provider, other, untrusted };
      return async (request) => {
        const { pathname } = new URL(request.url);
        const { name, path } = readPath(pathname);
        const peer = { other, untrusted, provider }[name];
        peer.hits.push({ at: clock.now(), method: request.method, path });
        return peer.document(path) ?? new Response(null, { status: 404 });
      };
    },
  });
  if (peers === undefined) throw new TypeError('The providers were not built.');
  return { ...peers, close: () => served.close() };
}
