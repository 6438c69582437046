import { createPrivateKey } from 'node:crypto';
import type { JWK } from 'jose';

// RFC 8410 §7: what comes before the 32 bytes of an Ed25519 private key in PKCS #8.
const PKCS8_PREFIX = '302e020100300506032b657004220420';

const made = new Map<string, JWK>();

/** A signing key made from a name, so that transcripts repeat byte for byte and no key lies in a file. */
export function ed25519Key(name: string): JWK {
  const known = made.get(name);
  if (known !== undefined) return known;
  const seed = Buffer.alloc(32, name).toString('hex');
  const key = createPrivateKey({
    key: Buffer.from(PKCS8_PREFIX + seed, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
  const jwk = { ...(key.export({ format: 'jwk' }) as JWK), alg: 'EdDSA' };
  made.set(name, jwk);
  return jwk;
}
