import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedPage, withInstalledPages } from '../../../src/cli/shell/installed-page.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'docs/json.md';

describe('the page that a help names', () => {
  it('is relative in a folder above it', () => {
    expect(installedPage(PAGE, ROOT)).toBe(PAGE);
    const below = installedPage(PAGE, dirname(ROOT));
    expect(isAbsolute(below)).toBe(false);
    expect(existsSync(join(dirname(ROOT), below))).toBe(true);
  });

  it('in a sentence was no path of the project that one is in', () => {
    const said = `Read docs/mcp.md, docs/json.md or ${join(ROOT, 'docs/proxy.md')}.`;
    expect(withInstalledPages(said, join(ROOT, 'src/cli'))).toBe(
      `Read ${join(ROOT, 'docs/mcp.md')}, ${join(ROOT, PAGE)} or ${join(ROOT, 'docs/proxy.md')}.`,
    );
    expect(withInstalledPages(said, ROOT)).toBe(said);
  });

  it('is left as it is where it is none of ours: a service may name one, too', () => {
    const said = 'The service says: see docs/agents.md.';
    expect(withInstalledPages(said, join(ROOT, 'src/cli'))).toBe(said);
  });

  it('is absolute anywhere else, and exists', () => {
    const path = installedPage(PAGE, join(ROOT, 'src/cli'));
    expect(path).toBe(join(ROOT, PAGE));
    expect(existsSync(path)).toBe(true);
  });
});
