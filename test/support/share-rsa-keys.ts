import type { webcrypto } from 'node:crypto';

/** Of one kind of key in one worker: more than one test uses, however often it rotates. */
const KINDS = 12;

type Generate = (
  algorithm: webcrypto.RsaHashedKeyGenParams,
  extractable: boolean,
  usages: webcrypto.KeyUsage[],
) => Promise<webcrypto.CryptoKeyPair>;

/**
 * An RSA key takes a tenth of a second of both processors, and each provider that a command starts has one: that was a
 * tenth of all tests. The first keys of a worker are made; then they come again, in turn, so that mocks of one test
 * have keys of their own.
 */
function sharing(generate: Generate): Generate {
  const made = new Map<string, Promise<webcrypto.CryptoKeyPair>[]>();
  const asked = new Map<string, number>();
  return (algorithm, extractable, usages) => {
    if (!/^RSA/.test(algorithm.name)) return generate(algorithm, extractable, usages);
    const kind = JSON.stringify([algorithm, extractable, usages]);
    const keys = made.get(kind) ?? [];
    made.set(kind, keys);
    const turn = asked.get(kind) ?? 0;
    asked.set(kind, turn + 1);
    if (keys.length < KINDS) keys.push(generate(algorithm, extractable, usages));
    return keys[turn % KINDS] as Promise<webcrypto.CryptoKeyPair>;
  };
}

const { subtle } = globalThis.crypto;
const own = Object.getPrototypeOf(subtle).generateKey as Generate;
// Once for a worker: its files share their modules, and this one is run again for each.
if (!Object.hasOwn(subtle, 'generateKey')) {
  Object.defineProperty(subtle, 'generateKey', { value: sharing(own.bind(subtle)) });
}
