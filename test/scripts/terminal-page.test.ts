import { expect, it } from 'vitest';
import { terminalPage } from '../../scripts/screenshots/terminal-page.js';

const E = '\u001b';

it('shows what was typed and printed, in its colours, and markup as text', () => {
  const page = terminalPage([
    { line: 'agent-auth call /<x>', output: `${E}[32m✓${E}[39m ${E}[1mNotes${E}[22m <b>&\n` },
  ]);
  expect(page).toContain('<span class="typed">agent-auth call /&lt;x></span>');
  expect(page).toContain('<span class="green">✓</span>');
  expect(page).toContain('<span class="bold">Notes</span>');
  expect(page).toContain('&lt;b>&amp;</span></pre>');
});

it('refuses escape codes that it would show wrongly', () => {
  const show = (output: string) => () => terminalPage([{ line: 'x', output }]);
  expect(show(`${E}[2K`)).toThrow('not known');
  expect(show(`${E}[95mpink`)).toThrow('95');
});
