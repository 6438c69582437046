import { describe, expect, it } from 'vitest';
import { pageNames, readPage } from '../package/pages/read-page.ts';
import { EVERY_OPTION, problemOf } from '../support/command-tree.ts';

/** Options of others that pages name: of Docker. */
const OF_OTHERS: ReadonlySet<string> = new Set(['--health-interval']);

describe('what pages name in a sentence or a table', () => {
  const spans = pageNames().flatMap((page) =>
    [...readPage(page).prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => ({ page, text })),
  );

  it('are commands that the program has, with options that these take', () => {
    const commands = spans
      .map(({ page, text }) => ({ page, text: text.replace(/^npx (?=agent-auth\b)/, '') }))
      .filter(({ text }) => text.startsWith('agent-auth ') && !text.startsWith('agent-auth/'));
    expect(commands.length).toBeGreaterThan(100);
    expect(
      commands.flatMap(({ page, text }) => {
        const wrong = problemOf(text);
        return wrong === undefined ? [] : [`${page}: ${wrong}`];
      }),
    ).toEqual([]);
  });

  it('are options that some command has', () => {
    const options = spans.flatMap(({ page, text }) => {
      const [name] = /^--[a-z][\w-]*/.exec(text) ?? [];
      return name === undefined ? [] : [{ page, name }];
    });
    expect(options.length).toBeGreaterThan(100);
    const unknown = options.filter(({ name }) => !EVERY_OPTION.has(name) && !OF_OTHERS.has(name));
    expect(unknown).toEqual([]);
  });

  it('are told from what is wrong', () => {
    expect(problemOf('agent-auth mock up --dialect nested')).toBeUndefined();
    expect(problemOf('agent-auth conformance agent -- COMMAND --anything')).toBeUndefined();
    expect(problemOf('agent-auth mock upp')).toContain('no command upp');
    expect(problemOf('agent-auth connect URL --nothing')).toContain('no option --nothing');
  });
});
