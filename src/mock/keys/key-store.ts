import type { JWK } from 'jose';
import { column, type Database, type Row, type Transaction } from '../store/index.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from './algorithm.ts';

/** Whose keys they are: both mocks may share a database. */
export type KeyOwner = 'service' | 'provider';

export interface StoredKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly privateJwk: JWK;
  /** In milliseconds. */
  readonly createdAt: number;
}

const LOAD = `SELECT kid, algorithm, private_jwk, created_at FROM signing_keys
  WHERE owner = ? AND state = 'active' ORDER BY created_at, kid`;

/** The owner's signing keys, the oldest first. */
export async function loadKeys(db: Database, owner: KeyOwner): Promise<readonly StoredKey[]> {
  return db.transaction((tx) => load(tx, owner));
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
    for (const key of missing) {
      await tx.run(
        `INSERT INTO signing_keys (owner, kid, algorithm, private_jwk, state, created_at)
         VALUES (?, ?, ?, ?, 'active', ?) ON CONFLICT DO NOTHING`,
        [owner, key.kid, key.algorithm, JSON.stringify(key.privateJwk), key.createdAt],
      );
    }
    return load(tx, owner);
  });
}

async function load(tx: Transaction, owner: KeyOwner): Promise<readonly StoredKey[]> {
  return (await tx.all(LOAD, [owner])).map(toKey);
}

function toKey(row: Row): StoredKey {
  const algorithm = SIGNING_ALGORITHMS.find((known) => known === row['algorithm']);
  if (algorithm === undefined)
    throw new TypeError('The store holds a key of an unknown algorithm.');
  return {
    kid: column.text(row['kid']),
    algorithm,
    privateJwk: JSON.parse(column.text(row['private_jwk'])) as JWK,
    createdAt: column.number(row['created_at']),
  };
}
