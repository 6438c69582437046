import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { KeyRing } from '../../../src/mock/keys/key-ring.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { createTables } from '../../../src/mock/store/tables.ts';
import { FakeClock, SeededRandom } from '../../../src/runtime/index.ts';
import { ed25519Key } from '../../support/ed25519.ts';

const MINUTE = 60_000;
const LEAD = 5 * MINUTE;
const KEEP = 60 * MINUTE;

async function start(options: Partial<Parameters<typeof KeyRing.open>[0]> = {}) {
  const clock = new FakeClock();
  const db = await openDatabase();
  await createTables(db, []);
  const open = (seed: number) =>
    KeyRing.open({
      db,
      owner: 'provider',
      clock,
      random: new SeededRandom(seed),
      keepFor: KEEP,
      ...options,
    });
  const keys = await open(1);
  const rotate = async (lead = LEAD): Promise<string> => {
    const next = await keys.next(lead);
    await db.transaction((tx) => next.store(tx));
    await keys.follow(next.kid);
    return next.kid;
  };
  const published = () => keys.jwks().keys.map(({ kid }) => kid);
  const signer = async () => decodeProtectedHeader(await keys.sign('x', {})).kid;
  return { clock, db, keys, open, rotate, published, signer };
}

describe('rotating keys', () => {
  it('publishes the new key before it signs', async () => {
    const ring = await start();
    const [first] = ring.published();
    const second = await ring.rotate();
    expect(ring.published()).toEqual([first, second]);
    expect(await ring.signer()).toBe(first);
    ring.clock.advance(LEAD - 1);
    expect(await ring.signer()).toBe(first);
    ring.clock.advance(1);
    expect(await ring.signer()).toBe(second);
  });

  it('leaves one key that waits when two processes rotate at once', async () => {
    const ring = await start();
    const [first] = ring.published();
    const other = await ring.open(2);
    const both = await Promise.all([ring.keys.next(LEAD), other.next(LEAD)]);
    for (const next of both) await ring.db.transaction((tx) => next.store(tx));
    await ring.keys.follow('both');
    expect(ring.published()).toEqual([first, both[1].kid]);
  });

  it('took away a key of another process that had signed since this one began', async () => {
    const ring = await start();
    const other = await ring.open(2);
    const late = await ring.keys.next(0);
    ring.clock.advance(1);
    const early = await other.next(0);
    await ring.db.transaction((tx) => early.store(tx));
    await other.follow('early');
    const signed = await other.sign('x', {});
    expect(decodeProtectedHeader(signed).kid).toBe(early.kid);
    await ring.db.transaction((tx) => late.store(tx));
    await ring.keys.follow('late');
    expect(await ring.keys.verifyOwn(signed)).toBeDefined();
  });

  it('verifies what the old key signed for as long as that is good, and no longer', async () => {
    const ring = await start();
    const token = await ring.keys.sign('x', { a: 1 });
    const second = await ring.rotate();
    ring.clock.advance(LEAD + KEEP - 1);
    expect((await ring.keys.verifyOwn(token))?.payload).toEqual({ a: 1 });
    await expect(jwtVerify(token, createLocalJWKSet(ring.keys.jwks()))).resolves.toBeDefined();
    ring.clock.advance(1);
    expect(await ring.keys.verifyOwn(token)).toBeUndefined();
    expect(ring.published()).toEqual([second]);
  });

  it('is followed by another process on the same store, and by a restart', async () => {
    const ring = await start();
    const other = await ring.open(2);
    const second = await ring.rotate();
    expect(other.jwks().keys).toHaveLength(1);
    await other.follow(second);
    expect(other.jwks()).toEqual(ring.keys.jwks());
    expect((await ring.open(3)).jwks()).toEqual(ring.keys.jwks());
  });

  it('drops keys whose time is over from the store with the next rotation', async () => {
    const ring = await start();
    await ring.rotate();
    ring.clock.advance(LEAD + KEEP);
    await ring.rotate();
    const rows = await ring.db.transaction((tx) => tx.all('SELECT kid FROM signing_keys'));
    expect(rows).toHaveLength(2);
    expect(ring.published()).toHaveLength(2);
  });

  it('lets the later of two rotations of one moment win', async () => {
    const ring = await start();
    await ring.rotate(0);
    const third = await ring.rotate(0);
    ring.clock.advance(10);
    expect(await ring.signer()).toBe(third);
  });

  it('replaces a key that still waits, for it has signed nothing', async () => {
    const ring = await start();
    const [first] = ring.published();
    const waiting = await ring.rotate();
    const third = await ring.rotate(0);
    expect(ring.published()).toEqual([first, third]);
    ring.clock.advance(10);
    expect(await ring.signer()).toBe(third);
    expect(ring.published()).not.toContain(waiting);
  });

  it('has a signer when the clock is set back before every key', async () => {
    const ring = await start();
    ring.clock.advance(LEAD + KEEP);
    await ring.rotate(0);
    ring.clock.advance(LEAD + KEEP);
    await ring.rotate(0);
    ring.clock.advance(-10 * (LEAD + KEEP));
    expect(ring.published()).toContain(await ring.signer());
  });

  it('settles on the key that signs, in every process', async () => {
    const ring = await start();
    const second = await ring.rotate(0);
    ring.clock.advance(10);
    await ring.rotate();
    const other = await ring.open(2);
    await ring.db.transaction((tx) => ring.keys.settle(tx));
    for (const keys of [ring.keys, other]) {
      await keys.follow('settled');
      expect(keys.jwks().keys.map(({ kid }) => kid)).toEqual([second]);
    }
    ring.clock.advance(-LEAD);
    expect(await ring.signer()).toBe(second);
  });

  it('tells a process of a key of another algorithm that a replica made', async () => {
    const ring = await start();
    const generation = async () =>
      (
        await ring.db.read((reader) =>
          reader.get("SELECT value FROM settings WHERE name = 'key_generation'"),
        )
      )?.['value'];
    const before = await generation();
    const replica = await KeyRing.open({
      db: ring.db,
      owner: 'provider',
      clock: ring.clock,
      random: new SeededRandom(5),
      keepFor: KEEP,
      algorithm: 'EdDSA',
    });
    expect(await generation()).not.toBe(before);
    await ring.keys.follow(String(await generation()));
    const verified = await ring.keys.verifyOwn(await replica.sign('x', { a: 1 }));
    expect(verified?.payload).toEqual({ a: 1 });
  });

  it('takes over from given keys, of which the first one signs until then', async () => {
    const ring = await start({ keys: [ed25519Key('one'), ed25519Key('two')] });
    const [first, second] = ring.published();
    expect(await ring.signer()).toBe(first);
    const third = await ring.rotate();
    expect(ring.published()).toEqual([first, second, third]);
    ring.clock.advance(LEAD);
    expect(await ring.signer()).toBe(third);
    ring.clock.advance(KEEP);
    expect(ring.published()).toEqual([third]);
  });
});
