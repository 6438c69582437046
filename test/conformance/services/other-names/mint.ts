import { type CryptoKey, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import { randomText } from '../support.ts';
import type { AgentRecord } from './agent-record.ts';
import type { Registry } from './registry.ts';

const PASSPORT_TYP = 'agent-passport+jwt';
const ACCESS_TYP = 'at+jwt';
const PASSPORT_SECONDS = 30 * 60;
export const ACCESS_SECONDS = 15 * 60;

export interface Access {
  readonly agent: AgentRecord;
  readonly jti: string;
  readonly scopes: readonly string[];
}

/** Signs and opens the two tokens of the service. Their `typ` keeps one from passing for the other. */
export class Mint {
  readonly #issuer: string;
  readonly #resource: string;
  readonly #now: () => number;
  readonly #registry: Registry;
  readonly #pair: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
  readonly #revoked = new Set<string>();
  readonly jwk: JWK;

  private constructor(
    names: { readonly issuer: string; readonly resource: string },
    now: () => number,
    registry: Registry,
    pair: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey },
    jwk: JWK,
  ) {
    this.#issuer = names.issuer;
    this.#resource = names.resource;
    this.#now = now;
    this.#registry = registry;
    this.#pair = pair;
    this.jwk = jwk;
  }

  static async create(
    names: { readonly issuer: string; readonly resource: string },
    now: () => number,
    registry: Registry,
  ): Promise<Mint> {
    const pair = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
    return new Mint(names, now, registry, pair, jwk);
  }

  /** The `identity_assertion`. */
  passport(agent: AgentRecord): Promise<string> {
    return this.#sign(agent, PASSPORT_TYP, this.#issuer, PASSPORT_SECONDS, {});
  }

  /** An access token as in RFC 9068. */
  access(agent: AgentRecord, scopes: readonly string[]): Promise<string> {
    const claims = { scope: scopes.join(' '), client_id: agent.id };
    return this.#sign(agent, ACCESS_TYP, this.#resource, ACCESS_SECONDS, claims);
  }

  async openPassport(token: string): Promise<AgentRecord | undefined> {
    return (await this.#open(token, PASSPORT_TYP, this.#issuer))?.agent;
  }

  async openAccess(token: string): Promise<Access | undefined> {
    const found = await this.#open(token, ACCESS_TYP, this.#resource);
    return found === undefined || this.#revoked.has(found.jti) ? undefined : found;
  }

  async revoke(token: string): Promise<void> {
    const found = await this.#open(token, ACCESS_TYP, this.#resource);
    if (found !== undefined) this.#revoked.add(found.jti);
  }

  #sign(
    agent: AgentRecord,
    typ: string,
    audience: string,
    lifetime: number,
    claims: Readonly<Record<string, string>>,
  ): Promise<string> {
    const seconds = Math.floor(this.#now() / 1000);
    return new SignJWT({ ...claims, edition: agent.edition })
      .setProtectedHeader({ alg: 'ES256', kid: 'k', typ })
      .setIssuer(this.#issuer)
      .setAudience(audience)
      .setSubject(agent.id)
      .setJti(randomText(15))
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + lifetime)
      .sign(this.#pair.privateKey);
  }

  async #open(token: string, typ: string, audience: string): Promise<Access | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#pair.publicKey, {
        algorithms: ['ES256'],
        typ,
        issuer: this.#issuer,
        audience,
        requiredClaims: ['exp', 'jti', 'sub'],
        currentDate: new Date(this.#now()),
      });
      const agent = this.#registry.find(payload.sub ?? '');
      if (agent === undefined || agent.state === 'withdrawn') return undefined;
      if (payload['edition'] !== agent.edition) return undefined;
      const scopes = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : [];
      return { agent, jti: payload.jti ?? '', scopes };
    } catch {
      return undefined;
    }
  }
}
