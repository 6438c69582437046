import { describe, expect, it } from 'vitest';
import { exchangeLines } from '../../../src/cli/terminal/exchange-line.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';

const poll = {
  from: 'agent',
  method: 'POST',
  path: '/oauth2/token',
  status: 200,
  state: 'claimed',
  meaning: 'claimed: a token for api.read api.write',
} as const;

describe('an exchange in a terminal', () => {
  it('does not take two lines at 110 columns where one is enough', () => {
    const lines = exchangeLines(PLAIN, poll, 110);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThanOrEqual(110);
  });

  it.each([
    ['it is longer than that', { ...poll, meaning: 'x'.repeat(60) }, 110],
    ['the terminal is narrow', poll, 80],
  ])('takes two where %s', (_what, shown, width) => {
    const lines = exchangeLines(PLAIN, shown, width);
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => line.trimEnd().length <= width)).toBe(true);
  });
});
