import { describe, expect, it } from 'vitest';
import { wrap } from '../../../src/cli/terminal/wrap.ts';

describe('a line that is longer than the screen', () => {
  it('goes on below without a word that is cut (the terminal cut where its edge was)', () => {
    expect(wrap('  one two three\nfour', 10)).toBe('  one two\n    three\nfour');
  });

  it('gives what is longer than a line its own, for a terminal to break', () => {
    expect(wrap('  view  http://127.0.0.1:4800 once', 12)).toBe(
      '  view\n    http://127.0.0.1:4800\n    once',
    );
  });

  it('can be pasted where it is a command', () => {
    expect(wrap('Next: agent-auth claim --email EMAIL', 25)).toBe(
      'Next: agent-auth claim \\\n  --email EMAIL',
    );
  });

  it('counts no colours', () => {
    const bold = '\u001b[1mone\u001b[22m two';
    expect(wrap(bold, 7)).toBe(bold);
  });
});
