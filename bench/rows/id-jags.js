import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

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
    const header = part({ alg: 'ES256', kid: 'bench', typ: 'oauth-id-jag+jwt' });
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
      const input = `${header}.${part(claims)}`;
      const key = { key: this.#pair.privateKey, dsaEncoding: /** @type {const} */ ('ieee-p1363') };
      yield `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
    }
  }
}

/** @param {object} value */
function part(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
