import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

const REVOKED = 'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked';

/** A provider of the bench's own: it signs ID-JAGs ahead, for users that nobody has seen before. */
export class BenchProvider {
  #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** @param {string} issuer */
  constructor(issuer) {
    this.issuer = issuer;
  }

  /** @returns {import('jose').JWK} */
  get jwk() {
    const jwk = this.#pair.publicKey.export({ format: 'jwk' });
    return { .../** @type {object} */ (jwk), kid: 'bench', alg: 'ES256', use: 'sig' };
  }

  get jwks() {
    return { keys: [this.jwk] };
  }

  /**
   * @param {string} audience
   * @param {number} count
   * @returns {Generator<string>} each for another user, valid for an hour
   */
  *idJags(audience, count) {
    const iat = Math.floor(Date.now() / 1000);
    for (let left = count; left > 0; left -= 1) {
      const id = randomUUID();
      const claims = {
        iss: this.issuer,
        sub: id,
        aud: audience,
        client_id: this.issuer,
        jti: id,
        iat,
        exp: iat + 3600,
        auth_time: iat,
        email: `${id}@example.com`,
        email_verified: true,
      };
      yield this.#sign('oauth-id-jag+jwt', claims);
    }
  }

  /**
   * @param {string} audience
   * @param {string} sub
   * @returns {string} a security event that ends what rests on the ID-JAGs of a user until now
   */
  revocation(audience, sub) {
    const events = { [REVOKED]: {} };
    const iat = Math.floor(Date.now() / 1000);
    return this.#sign('secevent+jwt', {
      iss: this.issuer,
      aud: audience,
      iat,
      jti: randomUUID(),
      sub,
      events,
    });
  }

  /** @param {string} typ @param {object} claims */
  #sign(typ, claims) {
    const input = `${part({ alg: 'ES256', kid: 'bench', typ })}.${part(claims)}`;
    const key = { key: this.#pair.privateKey, dsaEncoding: /** @type {const} */ ('ieee-p1363') };
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  }
}

/** @param {object} value */
function part(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
