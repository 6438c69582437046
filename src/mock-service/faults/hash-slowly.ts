/** Long enough for another request to come between. */
export async function hashSlowly(): Promise<void> {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const slow = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(16), iterations: 100_000 };
  await crypto.subtle.deriveBits(slow, key, 256);
}

/** Until another request has come between, and no longer than it takes to hash five times. */
export async function hashUntil(hasCome: () => boolean): Promise<void> {
  for (let n = 0; n < 5 && !hasCome(); n += 1) await hashSlowly();
}
