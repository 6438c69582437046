import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hashOfInputs } from '../../scripts/schemas/hash-of-inputs.js';

const root = mkdtempSync(join(tmpdir(), 'inputs-'));
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each([
  'src/cli/shell/output.ts',
  'scripts/schemas/type-schema.js',
  'docs/schemas/token-response.json',
  'docs/schemas.md',
  'docs/json.md',
  'package-lock.json',
  'tsconfig.build.json',
  'node_modules/zod/package.json',
])('is another one when %s is new, changes or goes', (path) => {
  const without = hashOfInputs(root);
  write(path, 'a');
  const first = hashOfInputs(root);
  expect(hashOfInputs(root)).toBe(first);
  write(path, 'b');
  const second = hashOfInputs(root);
  rmSync(join(root, path));
  expect(new Set([without, first, second]).size).toBe(3);
  expect(hashOfInputs(root)).toBe(without);
});

it('is the same whatever else changes', () => {
  const before = hashOfInputs(root);
  write('README.md', 'a');
  write('.cache/schemas-checked', 'a');
  expect(hashOfInputs(root)).toBe(before);
});
