/** Long enough for another request to come between. */
export async function hashSlowly(): Promise<void> {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const slow = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(16), iterations: 100_000 };
  await crypto.subtle.deriveBits(slow, key, 256);
}
