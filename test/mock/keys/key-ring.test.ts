import { createPrivateKey, sign } from 'node:crypto';
import {
  CompactSign,
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { describe, expect, it } from 'vitest';
import { KeyRing } from '../../../src/mock/keys/key-ring.ts';
import type { Database } from '../../../src/mock/store/database.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { createTables } from '../../../src/mock/store/tables.ts';
import { FakeClock, SeededRandom } from '../../../src/runtime/index.ts';
import { ed25519Key } from '../../support/ed25519.ts';

const clock = new FakeClock();

async function store(): Promise<Database> {
  const db = await openDatabase();
  await createTables(db, []);
  return db;
}

function ring(db: Database, rest: Partial<Parameters<typeof KeyRing.open>[0]> = {}) {
  return KeyRing.open({
    db,
    owner: 'service',
    clock,
    random: new SeededRandom(7),
    keepFor: 60_000,
    ...rest,
  });
}

describe.each(['ES256', 'EdDSA'] as const)('a key ring with %s', (algorithm) => {
  it('signs what its public key set verifies, and adds no claim', async () => {
    const keys = await ring(await store(), { algorithm });
    const token = await keys.sign('agent-identity+jwt', { iss: 'a', n: 1 });
    expect(decodeProtectedHeader(token)).toEqual({
      alg: algorithm,
      typ: 'agent-identity+jwt',
      kid: keys.jwks().keys[0]?.kid,
    });
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys.jwks()));
    expect(payload).toEqual({ iss: 'a', n: 1 });
    expect((await keys.verifyOwn(token))?.payload).toEqual({ iss: 'a', n: 1 });
  });

  it('verifies what another implementation signed with the same key', async () => {
    const key = algorithm === 'EdDSA' ? ed25519Key('shared') : await es256Key();
    const keys = await ring(await store(), { keys: [key] });
    const token = await new CompactSign(new TextEncoder().encode('{"n":1}'))
      .setProtectedHeader({ alg: algorithm, kid: keys.jwks().keys[0]?.kid ?? '' })
      .sign(await importJWK(key, algorithm));
    expect(await keys.verifyOwn(token)).toEqual({
      header: { alg: algorithm, kid: keys.jwks().keys[0]?.kid },
      payload: { n: 1 },
    });
  });

  it('publishes public members alone, under the RFC 7638 thumbprint', async () => {
    const [key, ...others] = (await ring(await store(), { algorithm })).jwks().keys;
    expect(others).toEqual([]);
    const members = algorithm === 'ES256' ? ['x', 'y'] : ['x'];
    expect(Object.keys(key ?? {}).sort()).toEqual(
      ['alg', 'crv', 'kid', 'kty', 'use', ...members].sort(),
    );
    expect(key).toMatchObject({ use: 'sig', alg: algorithm });
    expect(key?.kid).toBe(await calculateJwkThumbprint(key as JWK, 'sha256'));
  });

  it('finds the same key after a restart', async () => {
    const db = await store();
    const before = await ring(db, { algorithm });
    const after = await ring(db, { algorithm, random: new SeededRandom(8) });
    expect(after.jwks()).toEqual(before.jwks());
    expect((await after.verifyOwn(await before.sign('x', { a: 1 })))?.payload).toEqual({ a: 1 });
  });

  it('makes its key from the given randomness', async () => {
    const first = await ring(await store(), { algorithm });
    const same = await ring(await store(), { algorithm });
    const other = await ring(await store(), { algorithm, random: new SeededRandom(8) });
    expect(same.jwks()).toEqual(first.jwks());
    expect(other.jwks()).not.toEqual(first.jwks());
  });
});

describe('a key ring with RS256', () => {
  it('signs with it, publishes a key of ES256 beside it, and signs with that where it is asked', async () => {
    const keys = await ring(await store(), { algorithm: 'RS256' });
    const published = createLocalJWKSet(keys.jwks());
    for (const [token, alg] of [
      [await keys.sign('x', { n: 1 }), 'RS256'],
      [await keys.sign('x', { n: 1 }, undefined, 'ES256'), 'ES256'],
    ] as const) {
      expect((await jwtVerify(token, published)).protectedHeader.alg).toBe(alg);
      expect((await keys.verifyOwn(token))?.payload).toEqual({ n: 1 });
      expect(await keys.verifyOwn(`${token}A`)).toBeUndefined();
    }
    const rsa = keys.jwks().keys.find(({ alg }) => alg === 'RS256');
    expect(Object.keys(rsa ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});

describe('a key ring', () => {
  it('is the same for two mocks that start at once on one store', async () => {
    const db = await store();
    const rings = await Promise.all(
      [1, 2].map((seed) => ring(db, { random: new SeededRandom(seed) })),
    );
    expect(rings[0]?.jwks()).toEqual(rings[1]?.jwks());
  });

  it('belongs to one owner of a shared database', async () => {
    const db = await store();
    const service = await ring(db);
    const provider = await ring(db, { owner: 'provider', random: new SeededRandom(9) });
    expect(await provider.verifyOwn(await service.sign('x', {}))).toBeUndefined();
  });

  it('keeps publishing its keys when the algorithm changes', async () => {
    const db = await store();
    const old = await (await ring(db)).sign('x', { a: 1 });
    const keys = await ring(db, { algorithm: 'EdDSA' });
    expect(
      keys
        .jwks()
        .keys.map(({ alg }) => alg)
        .sort(),
    ).toEqual(['ES256', 'EdDSA']);
    expect(decodeProtectedHeader(await keys.sign('x', {})).alg).toBe('EdDSA');
    expect((await keys.verifyOwn(old))?.payload).toEqual({ a: 1 });
  });

  it('takes given keys without storing them, and repeats its signatures', async () => {
    const db = await store();
    const given = { keys: [ed25519Key('given')] };
    const keys = await ring(db, given);
    expect(await keys.sign('x', { a: 1 })).toBe(await (await ring(db, given)).sign('x', { a: 1 }));
    expect(await db.transaction((tx) => tx.all('SELECT kid FROM signing_keys'))).toEqual([]);
    expect(JSON.stringify(keys.jwks())).not.toContain('"d"');
  });

  it('signs with EdDSA what another implementation signs, bit for bit', async () => {
    const key = ed25519Key('given');
    const keys = await ring(await store(), { keys: [key] });
    const claims = { iss: 'ü', left: undefined, list: [1, null], nested: { '"': '\\' } };
    const kid = keys.jwks().keys[0]?.kid ?? '';
    const other = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'x', kid });
    expect(await keys.sign('x', claims)).toBe(await other.sign(await importJWK(key, 'EdDSA')));
  });

  it('hands the same key set out until its keys change', async () => {
    const keys = await ring(await store());
    expect(keys.jwks()).toBe(keys.jwks());
  });

  it.each<[string, JWK]>([
    ['a public key', { ...ed25519Key('x'), d: undefined } as unknown as JWK],
    ['a symmetric key', { kty: 'oct', k: 'AAAA' }],
    ['an RSA key', { kty: 'RSA', n: 'AQAB', e: 'AQAB', d: 'AQAB' }],
  ])('refuses %s', async (_what, key) => {
    await expect(ring(await store(), { keys: [key] })).rejects.toThrow(TypeError);
  });
});

describe.each(['EdDSA', 'ES256'] as const)('what a key ring with %s does not take', async (alg) => {
  const keyOf = async (name: string) => (alg === 'EdDSA' ? ed25519Key(name) : es256Key());
  const mine = await keyOf('mine');
  const keys = await ring(await store(), { keys: [mine] });
  const [published] = keys.jwks().keys;
  const token = await keys.sign('x', { a: 1 });
  const [head = '', body = '', signature = ''] = token.split('.');

  const signed = async (header: object, key: JWK = mine) =>
    new CompactSign(new TextEncoder().encode('{"a":1}'))
      .setProtectedHeader({ alg, kid: published?.kid ?? '', ...header })
      .sign(await importJWK(key, alg), { crit: { odd: true } });
  const unsigned = (header: object) =>
    `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${body}.`;
  /** Signed by the right key, with a header that says something else. */
  const mislabelled = (header: object) => {
    const input = unsigned(header).slice(0, -1);
    const key = createPrivateKey({ key: { ...mine }, format: 'jwk' });
    const dsaEncoding = 'ieee-p1363';
    const made = sign(alg === 'ES256' ? 'sha256' : null, Buffer.from(input), { key, dsaEncoding });
    return `${input}.${made.toString('base64url')}`;
  };
  const resigned = (bytes: Uint8Array) =>
    `${head}.${body}.${Buffer.from(bytes).toString('base64url')}`;
  const bytes = Buffer.from(signature, 'base64url');
  const broken = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  /** The same bytes, with bits behind them that no byte has. */
  const respelled = () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return signature.slice(0, -1) + letters[letters.indexOf(signature.slice(-1)) + 1];
  };

  it('anything but what its key has signed', async () => {
    expect(await keys.verifyOwn(mislabelled({ alg, kid: published?.kid }))).toBeDefined();
  });

  it.each<[string, () => string | Promise<string>]>([
    ['no token', () => ''],
    ['a token of four parts', () => `${token}.x`],
    ['a broken signature', () => `${head}.${body}.${broken}`],
    ['no signature', () => `${head}.${body}.`],
    ['a signature that is too short', () => resigned(bytes.subarray(0, -1))],
    ['a signature that is too long', () => resigned(Buffer.concat([bytes, Buffer.alloc(1)]))],
    ['a signature of zeros', () => resigned(Buffer.alloc(64))],
    ['a signature of ones', () => resigned(Buffer.alloc(64, 255))],
    ['a second spelling of the signature', () => `${head}.${body}.${respelled()}`],
    ['a signature in plain base64', () => `${head}.${body}.${bytes.toString('base64')}`],
    ['other claims', () => `${head}.${Buffer.from('{"a":2}').toString('base64url')}.${signature}`],
    ['padding', () => `${token}=`],
    ['a line break', () => `${head}\n.${body}.${signature}`],
    ['a line break at the end', () => `${token}\n`],
    ['alg none', () => unsigned({ alg: 'none', kid: published?.kid })],
    ['alg nOnE', () => unsigned({ alg: 'nOnE', kid: published?.kid })],
    [
      'another alg',
      () => mislabelled({ alg: alg === 'ES256' ? 'EdDSA' : 'ES256', kid: published?.kid }),
    ],
    ['another name of the alg', () => mislabelled({ alg: 'Ed25519', kid: published?.kid })],
    ['no alg', () => mislabelled({ kid: published?.kid })],
    ['another key under our kid', async () => signed({}, await keyOf('other'))],
    ['another kid', () => signed({ kid: 'other' })],
    ['a numeric kid', () => signed({ kid: 5 })],
    ['an embedded key', async () => signed({ kid: 'x', jwk: published }, await keyOf('other'))],
    ['a critical header', () => signed({ crit: ['odd'], odd: 1 })],
    ['no critical header, said so', () => mislabelled({ alg, kid: published?.kid, crit: [] })],
    ['b64 false', () => unsigned({ alg, kid: published?.kid, b64: false, crit: ['b64'] })],
    // Of no effect without `crit` (RFC 7797 §6), and none of our tokens has it.
    ['b64 that is not critical', () => signed({ b64: true })],
    ['a megabyte', () => `${head}.${'A'.repeat(1_000_000)}.${signature}`],
  ])('%s', async (_what, make) => {
    expect(await keys.verifyOwn(await make())).toBeUndefined();
  });
});

async function es256Key(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return exportJWK(privateKey);
}
