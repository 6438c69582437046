import { describe, expect, it } from 'vitest';
import { toPgStatement } from '../../../src/mock/store/database-pg.ts';

describe('a statement for PostgreSQL', () => {
  it.each([
    ['SELECT ? + ?', 'SELECT $1 + $2', 2],
    [`SELECT '?', "?", ? -- ?\n, ?`, `SELECT '?', "?", $1 -- ?\n, $2`, 2],
    [`SELECT 'it''s ?', ?`, `SELECT 'it''s ?', $1`, 1],
    ['SELECT 1', 'SELECT 1', 0],
    [
      `CREATE TABLE t (a TEXT PRIMARY KEY, context TEXT DEFAULT 'TEXT')`,
      `CREATE TABLE t (a TEXT COLLATE "C" PRIMARY KEY, context TEXT COLLATE "C" DEFAULT 'TEXT')`,
      0,
    ],
    ['ALTER TABLE t ADD COLUMN a TEXT', 'ALTER TABLE t ADD COLUMN a TEXT COLLATE "C"', 0],
    ['SELECT CAST(? AS TEXT)', 'SELECT CAST($1 AS TEXT)', 1],
  ])('is made of %s', (sql, text, parameters) => {
    expect(toPgStatement(sql)).toEqual({ text, parameters });
  });
});
