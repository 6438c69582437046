import { createHash, randomBytes } from 'node:crypto';
import Database from 'libsql';

const SCHEMA = `
CREATE TABLE account (email TEXT PRIMARY KEY);
CREATE TABLE registration (
  id TEXT PRIMARY KEY, type TEXT NOT NULL, email TEXT, scopes TEXT NOT NULL, window_end REAL NOT NULL,
  claim_hash TEXT, ver INTEGER NOT NULL DEFAULT 1, wrong INTEGER NOT NULL DEFAULT 0,
  claimed_by TEXT, claimed_at REAL, revoked INTEGER NOT NULL DEFAULT 0,
  iss TEXT, sub TEXT, tenant TEXT, jag_iat REAL,
  collected_at REAL, collected_assertion TEXT, collected_token TEXT);
CREATE TABLE attempt (
  hash TEXT PRIMARY KEY, registration TEXT NOT NULL, code TEXT NOT NULL, ends REAL NOT NULL,
  wrong INTEGER NOT NULL DEFAULT 0, denied INTEGER NOT NULL DEFAULT 0, current INTEGER NOT NULL DEFAULT 1,
  interval INTEGER NOT NULL, polled REAL);
CREATE TABLE access (
  hash TEXT PRIMARY KEY, registration TEXT NOT NULL, ver INTEGER NOT NULL, scope TEXT NOT NULL, ends REAL NOT NULL);
CREATE TABLE visit (hash TEXT PRIMARY KEY, email TEXT, csrf TEXT NOT NULL, ends REAL NOT NULL, login TEXT);
CREATE TABLE login (
  id TEXT PRIMARY KEY, email TEXT NOT NULL, code TEXT NOT NULL, link TEXT NOT NULL, next TEXT NOT NULL,
  visit TEXT NOT NULL, ends REAL NOT NULL, tries INTEGER NOT NULL DEFAULT 0, used INTEGER NOT NULL DEFAULT 0);
CREATE TABLE seen (kind TEXT, iss TEXT, jti TEXT, PRIMARY KEY (kind, iss, jti));
CREATE TABLE cutoff (iss TEXT, sub TEXT, at REAL, PRIMARY KEY (iss, sub));
`;

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** One connection, in memory. Every statement is done when it returns. */
export class Db {
  readonly #db = new Database(':memory:');

  constructor() {
    this.#db.exec(SCHEMA);
  }

  row(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.rows(sql, ...values)[0];
  }

  rows(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#db.prepare(sql).all(...values) as Row[];
  }

  run(sql: string, ...values: readonly Value[]): number {
    return this.#db.prepare(sql).run(...values).changes;
  }

  insert(table: string, row: Row): void {
    const names = Object.keys(row);
    const marks = names.map(() => '?').join(', ');
    this.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, ...Object.values(row));
  }

  close(): void {
    this.#db.close();
  }
}

export const text = (row: Row | undefined, name: string): string => String(row?.[name] ?? '');
export const count = (row: Row | undefined, name: string): number => Number(row?.[name] ?? 0);

export const secret = (prefix: string): string => prefix + randomBytes(22).toString('hex');
export const hashed = (value: string): string =>
  createHash('sha256').update(value).digest('base64');
