import { describe, expect, it } from 'vitest';
import { typedAgain } from '../../../src/cli/shell/next-line.ts';

const again = (argv: readonly string[], ...more: readonly string[]) =>
  typedAgain({ argv, world: { environment: { programName: 'npx agent-auth' } } }, ...more)?.line;

describe('the line that was typed, to type again', () => {
  it.each([
    ['has no flag twice', ['reset', '--service', 'a'], ['--service', 'b'], 'reset --service b'],
    [
      'nor with =',
      ['reset', '--service=a', '--json'],
      ['--service', 'b'],
      'reset --json --service b',
    ],
    [
      'keeps the word behind a flag without a value',
      ['call', '--yes', '/x'],
      ['--yes'],
      'call /x --yes',
    ],
    [
      'leaves the command of exec as it is',
      ['exec', '--', 'curl', '--service', 'x'],
      ['--service', 'URL'],
      'exec --service URL -- curl --service x',
    ],
  ])('%s', (_what, argv, more, line) => {
    expect(again(argv, ...more)).toBe(`npx agent-auth ${line}`);
  });

  it('is not repeated where a word may be a secret', () => {
    expect(again(['register', '--assertion', 'eyJ'], '--type', 'anonymous')).toBeUndefined();
  });
});
