import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import type { Registration } from './accounts.ts';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

const LIFETIME = 24 * 3600;

/** The assertions that the service signs. */
export class Tokens {
  readonly jwk: JWK;
  readonly #base: string;
  readonly #now: () => number;
  readonly #pair: KeyPair;

  private constructor(base: string, now: () => number, pair: KeyPair, jwk: JWK) {
    this.#base = base;
    this.#now = now;
    this.#pair = pair;
    this.jwk = jwk;
  }

  static async create(base: string, now: () => number): Promise<Tokens> {
    const pair = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: 's1', alg: 'ES256', use: 'sig' };
    return new Tokens(base, now, pair, jwk);
  }

  sign({ id, version }: Registration): Promise<string> {
    const seconds = Math.floor(this.#now() / 1000);
    return new SignJWT({ ver: version, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 's1', typ: 'JWT' })
      .setIssuer(this.#base)
      .setAudience(this.#base)
      .setSubject(id)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + LIFETIME)
      .sign(this.#pair.privateKey);
  }

  /** Undefined for what this service did not sign, or not as an assertion that is still good. */
  async read(
    assertion: string,
  ): Promise<{ readonly id: string; readonly version: unknown } | undefined> {
    try {
      const { payload } = await jwtVerify(assertion, this.#pair.publicKey, {
        issuer: this.#base,
        audience: this.#base,
        algorithms: ['ES256'],
        typ: 'JWT',
        currentDate: new Date(this.#now()),
      });
      return { id: payload.sub ?? '', version: payload['ver'] };
    } catch {
      return undefined;
    }
  }
}
