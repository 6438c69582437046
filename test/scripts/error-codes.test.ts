import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENT_CODES } from '../../src/agent/index.ts';

const page = readFileSync(new URL('../../docs/error-codes.md', import.meta.url), 'utf8');

describe('no page explained the error codes of the library', () => {
  it.each(Object.entries(AGENT_CODES))('%s is below its kind, %s', (code, kind) => {
    const section = page.split('\n## ').find((each) => each.startsWith(`${kind}\n`));
    expect(section).toMatch(new RegExp(`^\\| \`${code}\` \\| \\S.* \\| \\S.* \\|$`, 'm'));
  });
});
