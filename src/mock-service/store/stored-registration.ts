import {
  column,
  type Reader,
  type Row,
  type Transaction,
  type Value,
} from '../../mock/store/database.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';

/** A registration as stored; the members beside the facts are who it belongs to, and what it is found by. */
export interface StoredRegistration {
  readonly facts: RegistrationFacts;
  readonly createdAt: number;
  /** When it is forgotten, in milliseconds; undefined: it stays. */
  readonly purgeAt: number | undefined;
  /** What the agent calls itself: its own words, not made safe for a page. */
  readonly agentName: string | undefined;
  readonly claimTokenHash: string | undefined;
  readonly attemptTokenHash: string | undefined;
  /** The hash of the access token that the latest poll delivered. */
  readonly deliveredTokenHash: string | undefined;
  readonly issuer: string | undefined;
  readonly tenant: string | undefined;
  readonly subject: string | undefined;
  readonly idJagIssuedAt: number | undefined;
}

/** What rows are looked up by, beside the whole as JSON, which alone is read. */
const CELLS: Readonly<Record<string, (registration: StoredRegistration) => Value | undefined>> = {
  id: ({ facts }) => facts.id,
  created_at: ({ createdAt }) => createdAt,
  purge_at: ({ purgeAt }) => purgeAt,
  revoked_at: ({ facts }) => facts.revokedAt,
  claim_token_hash: ({ claimTokenHash }) => claimTokenHash,
  attempt_token_hash: ({ attemptTokenHash }) => attemptTokenHash,
  user_id: ({ facts }) => facts.userId,
  email: ({ facts }) => facts.email,
  issuer: ({ issuer }) => issuer,
  tenant: ({ tenant }) => tenant,
  subject: ({ subject }) => subject,
};
const COLUMNS = Object.keys(CELLS);
const INSERT = `INSERT INTO registrations (registration, ${COLUMNS.join(', ')})
  VALUES (?, ${COLUMNS.map(() => '?').join(', ')})`;

function cellsOf(registration: StoredRegistration): readonly Value[] {
  return Object.values(CELLS).map((cell) => cell(registration) ?? null);
}

/** Reads the column `registration`. */
function toRegistration(row: Row): StoredRegistration {
  return JSON.parse(column.text(row['registration'])) as StoredRegistration;
}

/** @param where what follows `WHERE`. */
export async function findRegistrations(
  reader: Reader,
  where: string,
  values: readonly Value[],
): Promise<readonly StoredRegistration[]> {
  const rows = await reader.all(`SELECT registration FROM registrations WHERE ${where}`, values);
  return rows.map(toRegistration);
}

/** The newest registration that fulfils a condition and is not revoked. */
export async function findNewest(
  tx: Transaction,
  condition: string,
  values: readonly Value[],
): Promise<StoredRegistration | undefined> {
  const newest = `${condition} AND revoked_at IS NULL ORDER BY created_at DESC LIMIT 1`;
  return (await findRegistrations(tx, newest, values))[0];
}

export async function insertRow(tx: Transaction, registration: StoredRegistration): Promise<void> {
  await tx.run(INSERT, [JSON.stringify(registration), ...cellsOf(registration)]);
}

/** Writes what has changed: most changes leave alone what it is looked up by. */
export async function updateRow(
  tx: Transaction,
  before: StoredRegistration,
  after: StoredRegistration,
): Promise<void> {
  if (after === before) return;
  const was = cellsOf(before);
  const cells = cellsOf(after);
  const isChanged = (_cell: unknown, at: number) => cells[at] !== was[at];
  const changed = COLUMNS.filter(isChanged).map((name) => `, ${name} = ?`);
  await tx.run(`UPDATE registrations SET registration = ?${changed.join('')} WHERE id = ?`, [
    JSON.stringify(after),
    ...cells.filter(isChanged),
    after.facts.id,
  ]);
}
