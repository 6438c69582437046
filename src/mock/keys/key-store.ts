import type { Jwk } from '../../protocol/jwk.ts';
import {
  column,
  type Database,
  type Reader,
  type Row,
  type Transaction,
} from '../store/database.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from './algorithm.ts';

/** Whose keys they are: both mocks may share a database. */
export type KeyOwner = 'service' | 'provider';

export interface StoredKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly privateJwk: Jwk;
  /** When it was made, in milliseconds. */
  readonly createdAt: number;
  /** When it begins to sign, in milliseconds: it is published before, so that verifiers know it by then. */
  readonly signsFrom: number;
}

const LOAD = `SELECT kid, algorithm, private_jwk, created_at, signs_from FROM signing_keys
  WHERE owner = ? ORDER BY signs_from, kid`;

/** The owner's signing keys, the oldest first. */
export async function loadKeys(db: Database, owner: KeyOwner): Promise<readonly StoredKey[]> {
  return db.read((reader) => load(reader, owner));
}

/** Stores keys unless there are some of that algorithm; of two processes one wins, and both use its keys. */
export async function storeFirstKeys(
  db: Database,
  owner: KeyOwner,
  keys: readonly StoredKey[],
): Promise<readonly StoredKey[]> {
  return db.transaction(async (tx) => {
    const present = await load(tx, owner);
    const missing = keys.filter(
      ({ algorithm }) => !present.some((key) => key.algorithm === algorithm),
    );
    for (const key of missing) await insert(tx, owner, key);
    if (missing.length > 0) await tellOthers(tx, owner);
    return load(tx, owner);
  });
}

/**
 * Adds a key that takes over, drops those that are over, and has every process of the store reload.
 * @param over which of the keys that there are by then are over, by their `kid`.
 */
export async function storeNextKey(
  tx: Transaction,
  owner: KeyOwner,
  key: StoredKey,
  over: (stored: readonly StoredKey[]) => readonly string[],
): Promise<void> {
  for (const kid of over(await load(tx, owner))) {
    await tx.run('DELETE FROM signing_keys WHERE owner = ? AND kid = ?', [owner, kid]);
  }
  await insert(tx, owner, key);
  await tellOthers(tx, owner);
}

/** Whose keys of one algorithm stay, and since when they sign, however the clock was moved. */
interface KeptKey {
  readonly algorithm: SigningAlgorithm;
  readonly kid: string;
  /** Keys that sign from no later than this are left alone: given ones stand in for them. */
  readonly firstKeysUpTo: number;
}

/** Leaves one key of its algorithm, which signs from the beginning. */
export async function keepOneKey(tx: Transaction, owner: KeyOwner, kept: KeptKey): Promise<void> {
  await tx.run(
    'DELETE FROM signing_keys WHERE owner = ? AND algorithm = ? AND kid <> ? AND signs_from > ?',
    [owner, kept.algorithm, kept.kid, kept.firstKeysUpTo],
  );
  await tx.run('UPDATE signing_keys SET signs_from = 1 WHERE owner = ? AND kid = ?', [
    owner,
    kept.kid,
  ]);
  await tellOthers(tx, owner);
}

/** Every process on the store loads the keys again with its next request. */
async function tellOthers(tx: Transaction, owner: KeyOwner): Promise<void> {
  const generation = Number((await readSetting(tx, owner, 'key_generation')) ?? 0) + 1;
  await writeSetting(tx, owner, 'key_generation', String(generation));
}

async function insert(tx: Transaction, owner: KeyOwner, key: StoredKey): Promise<void> {
  await tx.run(
    `INSERT INTO signing_keys (owner, kid, algorithm, private_jwk, created_at, signs_from)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [owner, key.kid, key.algorithm, JSON.stringify(key.privateJwk), key.createdAt, key.signsFrom],
  );
}

async function load(reader: Reader, owner: KeyOwner): Promise<readonly StoredKey[]> {
  return (await reader.all(LOAD, [owner])).map(toKey);
}

function toKey(row: Row): StoredKey {
  const algorithm = SIGNING_ALGORITHMS.find((known) => known === row['algorithm']);
  if (algorithm === undefined)
    throw new TypeError('The store holds a key of an unknown algorithm.');
  return {
    kid: column.text(row['kid']),
    algorithm,
    privateJwk: JSON.parse(column.text(row['private_jwk'])) as Jwk,
    createdAt: column.number(row['created_at']),
    signsFrom: column.number(row['signs_from']),
  };
}

/** What decides about a key: each algorithm has its own succession of keys. */
export interface InLine {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /**
   * When it begins to sign, in milliseconds. Zero and less: from the beginning; of several such keys the first one
   * signs.
   */
  readonly signsFrom: number;
}

/**
 * The key that signs now: of one algorithm, the latest whose time has come, or the earliest when a clock
 * that was set back has left none. Two that were made for the same instant are ordered by their
 * `kid`, so that all replicas choose the same one.
 */
export function signerOf<K extends InLine>(
  keys: readonly K[],
  algorithm: SigningAlgorithm,
  now: number,
): K | undefined {
  const inOrder = keys
    .filter((key) => key.algorithm === algorithm)
    .sort((a, b) => (isLater(a, b) ? 1 : -1));
  return inOrder.findLast(({ signsFrom }) => signsFrom <= now) ?? inOrder[0];
}

/**
 * The keys that are published: the signer, the one that waits for its time, and those that what they
 * signed may still be verified with.
 * @param keepFor how long the longest-lived signature is good, in milliseconds.
 */
export function publishedOf<K extends InLine>(
  keys: readonly K[],
  keepFor: number,
  now: number,
): readonly K[] {
  return keys.filter((key) => {
    const successors = keys.filter(
      (other) => other.algorithm === key.algorithm && other.signsFrom > 0 && isLater(other, key),
    );
    const replacedAt = Math.min(...successors.map(({ signsFrom }) => signsFrom));
    return now < replacedAt + keepFor;
  });
}

function isLater(a: InLine, b: InLine): boolean {
  return a.signsFrom === b.signsFrom ? a.kid > b.kid : a.signsFrom > b.signsFrom;
}
