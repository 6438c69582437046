import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from './postgres.ts';

describe('the search for PostgreSQL', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-auth-postgres-'));
    for (const [where, names] of [
      ['half', ['initdb']],
      ['whole', ['initdb', 'postgres']],
      ['debian/9/bin', ['initdb', 'postgres']],
      ['debian/15/bin', ['initdb', 'postgres']],
    ] as const) {
      mkdirSync(join(folder, where), { recursive: true });
      for (const name of names) {
        writeFileSync(join(folder, where, name), '#!/bin/sh\n', { mode: 0o755 });
      }
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the first folder of the path that has all of it', () => {
    const path = ['/nowhere', join(folder, 'half'), join(folder, 'whole')].join(delimiter);
    expect(findPostgres(path, '/nowhere')).toBe(join(folder, 'whole'));
  });

  it('takes the newest where Debian keeps them', () => {
    expect(findPostgres('/nowhere', join(folder, 'debian'))).toBe(join(folder, 'debian/15/bin'));
  });

  it('finds none where none is', () => {
    expect(findPostgres('/nowhere', '/nowhere')).toBeUndefined();
  });
});
