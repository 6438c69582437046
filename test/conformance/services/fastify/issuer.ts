import {
  calculateJwkThumbprint,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { type Agent, type Agents, token } from './agents.ts';
import { type Config, LIFE } from './config.ts';

const ASSERTION = 'agent-identity+jwt';
/** RFC 9068 §2.1 */
const ACCESS_TOKEN = 'at+jwt';

export interface Access {
  readonly agent: Agent;
  readonly scopes: readonly string[];
}

/** Signs assertions and access tokens, both JWTs, and says which of them are in force. */
export class Issuer {
  readonly jwk: JWK;
  readonly #config: Config;
  readonly #agents: Agents;
  readonly #key: GenerateKeyPairResult['privateKey'];
  readonly #publicKey: GenerateKeyPairResult['publicKey'];

  private constructor(config: Config, agents: Agents, jwk: JWK, keys: GenerateKeyPairResult) {
    this.#config = config;
    this.#agents = agents;
    this.jwk = jwk;
    this.#key = keys.privateKey;
    this.#publicKey = keys.publicKey;
  }

  static async create(config: Config, agents: Agents): Promise<Issuer> {
    const keys = await generateKeyPair('ES256');
    const jwk = await exportJWK(keys.publicKey);
    const kid = await calculateJwkThumbprint(jwk);
    return new Issuer(config, agents, { ...jwk, kid, alg: 'ES256', use: 'sig' }, keys);
  }

  get #now(): number {
    return Math.floor(this.#config.now() / 1000);
  }

  async assertion(agent: Agent): Promise<{ readonly value: string; readonly ends: number }> {
    const { jti, iat } = agent.collected ?? { jti: token(16), iat: this.#now };
    const ends = agent.collected ? iat + LIFE.claimedAssertion : this.#firstEnd(agent);
    const email = agent.claimedAt === undefined ? undefined : agent.email;
    const value = await new SignJWT({
      ver: agent.version,
      ...(email !== undefined && { email, email_verified: true }),
    })
      .setProtectedHeader({ alg: 'ES256', typ: ASSERTION, kid: this.jwk.kid ?? '' })
      .setIssuer(this.#config.issuer)
      .setAudience(this.#config.issuer)
      .setSubject(agent.id)
      .setJti(jti)
      .setIssuedAt(iat)
      .setExpirationTime(ends)
      .sign(this.#key);
    return { value, ends };
  }

  #firstEnd(agent: Agent): number {
    return agent.claimedAt === undefined
      ? Math.floor(agent.windowEnds)
      : this.#now + LIFE.assertion;
  }

  /** The agent that an assertion speaks for, where it may have tokens. */
  async agentOf(assertion: string): Promise<Agent | undefined> {
    const claims = await this.#verify(assertion, ASSERTION);
    const agent = this.#agents.byId(claims?.sub ?? '');
    if (agent === undefined || claims?.['ver'] !== agent.version) return undefined;
    const state = agent.stateAt(this.#config.now() / 1000);
    if (state === 'claimed') return agent;
    return agent.kind === 'anonymous' && state !== 'revoked' && state !== 'expired'
      ? agent
      : undefined;
  }

  async accessToken(agent: Agent, scopes: readonly string[], resource: string) {
    const jti = token();
    // Before anything is waited for: a claim that completes meanwhile takes it away again.
    agent.live.add(jti);
    const open =
      agent.claimedAt === undefined ? Math.floor(agent.windowEnds) : Number.POSITIVE_INFINITY;
    const ends = Math.min(this.#now + LIFE.accessToken, open);
    const value = await new SignJWT({ scope: scopes.join(' '), client_id: agent.id })
      .setProtectedHeader({ alg: 'ES256', typ: ACCESS_TOKEN, kid: this.jwk.kid ?? '' })
      .setIssuer(this.#config.issuer)
      .setAudience(resource)
      .setSubject(agent.id)
      .setJti(jti)
      .setIssuedAt(this.#now)
      .setExpirationTime(ends)
      .sign(this.#key);
    return { value, seconds: ends - this.#now };
  }

  /** What an access token allows at a resource; `undefined` for one that is not in force. */
  async access(value: string, resource: string): Promise<Access | undefined> {
    const claims = await this.#verify(value, ACCESS_TOKEN, [this.#config.issuer, resource]);
    const agent = this.#agents.byId(claims?.sub ?? '');
    if (agent === undefined) return undefined;
    const scopes = String(claims?.['scope']).split(' ');
    if (this.#config.has('stateless-tokens')) return { agent, scopes };
    if (!agent.live.has(claims?.jti ?? '')) return undefined;
    const state = agent.stateAt(this.#config.now() / 1000);
    if (state === 'revoked' || state === 'expired') return undefined;
    return { agent, scopes };
  }

  /** Ends an access token. Whether it was another kind of ours, which nobody can revoke. */
  async revoke(value: string): Promise<'done' | 'other kind'> {
    if ((await this.#verify(value, ASSERTION)) !== undefined) return 'other kind';
    const claims = await this.#verify(value, ACCESS_TOKEN, undefined);
    this.#agents.byId(claims?.sub ?? '')?.live.delete(claims?.jti ?? '');
    return 'done';
  }

  async #verify(
    value: string,
    typ: string,
    audience: string | string[] | undefined = this.#config.issuer,
  ) {
    try {
      const { payload } = await jwtVerify(value, this.#publicKey, {
        algorithms: ['ES256'],
        issuer: this.#config.issuer,
        typ,
        currentDate: new Date(this.#config.now()),
        ...(audience !== undefined && { audience }),
      });
      return payload;
    } catch {
      return undefined;
    }
  }
}
