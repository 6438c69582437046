import { randomBytes } from 'node:crypto';
import { hmacSha256 } from './hash.ts';

/** Drawn once: what the parts of one process print agrees, and nothing outside can try secrets out. */
const KEY = randomBytes(32).toString('base64url');

/**
 * What stands for a secret in text that leaves: the same for the same secret in this process, another in
 * the next one. The key keeps it from being undone, also for a code of six digits. All of it may stand in
 * a URL as it is (RFC 3986 §2.3).
 */
export function processFingerprint(secret: string): string {
  return `secret~${hmacSha256(KEY, secret).slice(0, 8)}`;
}
