import { exportJWK, generateKeyPair, importPKCS8 } from 'jose';
import type { Jwk } from '../../protocol/jwk.ts';
import type { Random } from '../../runtime/ports.ts';
import type { SigningAlgorithm } from './algorithm.ts';

/** PKCS #8 up to the 32 secret bytes (RFC 8410 §7; RFC 5915 §3, the public key left to be computed). */
const PREFIX: Readonly<Record<Exclude<SigningAlgorithm, 'RS256'>, string>> = {
  EdDSA: '302e020100300506032b657004220420',
  ES256: '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420',
};
const SECRET_BYTES = 32;

/**
 * A fresh private key from the Random port, so that seeded runs have the same keys; one for RS256, which takes a tenth of
 * a second, from the machine's own source.
 */
export async function generateKey(algorithm: SigningAlgorithm, random: Random): Promise<Jwk> {
  if (algorithm === 'RS256') {
    return exportJWK((await generateKeyPair(algorithm, { extractable: true })).privateKey);
  }
  const der = Buffer.concat([
    Buffer.from(PREFIX[algorithm], 'hex'),
    // A number outside the curve's order is refused by the import; it comes up once in 2^32 keys.
    random.bytes(SECRET_BYTES),
  ]);
  const pem = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----`;
  return exportJWK(await importPKCS8(pem, algorithm, { extractable: true }));
}
