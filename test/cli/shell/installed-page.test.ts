import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedPage } from '../../../src/cli/shell/installed-page.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'docs/commands/connect.md';

describe('the page that a help names', () => {
  it('is relative in a folder above it', () => {
    expect(installedPage(PAGE, ROOT)).toBe(PAGE);
    const below = installedPage(PAGE, dirname(ROOT));
    expect(isAbsolute(below)).toBe(false);
    expect(existsSync(join(dirname(ROOT), below))).toBe(true);
  });

  it('is absolute anywhere else, and exists', () => {
    const path = installedPage(PAGE, join(ROOT, 'src/cli'));
    expect(path).toBe(join(ROOT, PAGE));
    expect(existsSync(path)).toBe(true);
  });
});
