import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../src/conformance');
const ROLES = ['service', 'provider', 'agent', 'target', 'user'];

/** Names, not places: the types of events. Nobody requests them. */
const NAMES = /^https:\/\/schemas\.(?:vendor\.example|openid\.net)\//;
/** On this machine, or made from what the target and the suite are. */
const OURS = /^https?:\/\/(?:127\.\d|localhost|\[::1\]|[^/]*\$\{|\/|$)/;

interface Literal {
  readonly file: string;
  readonly url: string;
}

/** Every URL that a file of a role writes out. */
function literals(): readonly Literal[] {
  return ROLES.flatMap((role) => {
    const folder = join(ROOT, role);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const text = readFileSync(join(folder, name), 'utf8').replace(
          /^\s*(?:\/\/|\*|\/\*).*$/gm,
          '',
        );
        const found = text.match(/(?<=['"`])https?:\/\/[^\s'"`]*/g) ?? [];
        return found.map((url) => ({ file: join(role, name), url }));
      });
  });
}

describe('what the suite hands out', () => {
  it('names no host of another machine: invented ones are below .invalid', () => {
    const outside = literals().filter(({ url }) => !OURS.test(url) && !NAMES.test(url));
    expect(outside).toEqual([]);
    expect(literals().length).toBeGreaterThan(5);
  });

  it('has no link-local or private IP', () => {
    const text = ROLES.flatMap((role) =>
      readdirSync(join(ROOT, role), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(ROOT, role, name), 'utf8')),
    ).join('\n');
    expect(text.match(/\b(?:169\.254|192\.168|10\.\d+)\.\d+\.\d+\b|\bfe80:/g) ?? []).toEqual([]);
  });
});
