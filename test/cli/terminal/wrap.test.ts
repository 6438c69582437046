import { describe, expect, it } from 'vitest';
import { wrap } from '../../../src/cli/terminal/wrap.ts';

describe('a line that is longer than the screen', () => {
  it('goes on below without a word that is cut (the terminal cut where its edge was)', () => {
    expect(wrap('  one two three\nfour', 10)).toBe('  one two\n    three\nfour');
  });

  it('begins at its edge with a URL that is whole there alone (the terminal broke the link)', () => {
    expect(wrap('  view  http://127.0.0.1:4800 once', 22)).toBe(
      '  view\nhttp://127.0.0.1:4800\n    once',
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
