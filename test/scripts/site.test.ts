import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deadLinks } from '../../scripts/site/dead-links.js';
import { leadTo, REPOSITORY, SITE } from '../../scripts/site/places.js';
import { sidebar } from '../../scripts/site/sidebar.js';

it.each([
  ['a page beside it', 'glossary.md#id-jag', 'docs/mcp.md', '/glossary.md#id-jag'],
  ['the start page of docs', 'README.md#the-story', 'docs/mocks.md', '/by-task.md#the-story'],
  ['README', '../README.md', 'docs/README.md', '/index.md'],
  ['a page, from README', 'docs/mcp.md', 'README.md', '/mcp.md'],
  [
    'a page, from that of a command',
    '../../../docs/json.md',
    'dist/docs/commands/call.md',
    '/json.md',
  ],
  ['another command', 'lint.md', 'dist/docs/commands/call.md', '/commands/lint.md'],
  ['the site', `${SITE}errors#slow_down`, 'docs/README.md', '/errors#slow_down'],
  ['a file', '../action.yml', 'docs/mcp.md', `${REPOSITORY}/blob/main/action.yml`],
  ['a folder', 'examples/go', 'docs/mcp.md', `${REPOSITORY}/tree/main/docs/examples/go`],
  ['another site', 'https://www.rfc-editor.org/', 'docs/mcp.md', 'https://www.rfc-editor.org/'],
  ['nothing', 'nowhere.ts', 'docs/mcp.md', 'nowhere.ts'],
])('leads a link to %s', (_what, link, from, to) => {
  expect(leadTo(link, from)).toBe(to);
});

it('lists the pages of the start page once each, by the names that they have there', () => {
  const [tasks, reference] = sidebar();
  expect(tasks?.items[0]).toEqual({
    text: 'Give an agent access',
    link: '/give-an-agent-access.md',
  });
  expect(reference?.items).toContainEqual({ text: 'Error codes', link: '/errors' });
  const links = [tasks, reference].flatMap((group) => group?.items.map(({ link }) => link) ?? []);
  expect(links.length).toBeGreaterThan(35);
  expect(reference?.items.length).toBe(new Set(reference?.items.map(({ link }) => link)).size);
});

it('finds the links of a built site, and of README to it, that lead nowhere', () => {
  const out = mkdtempSync(join(tmpdir(), 'agent-auth-site-'));
  const { pathname } = new URL(SITE);
  const inside = ['one', 'one#here', 'one#gone', 'gone', 'style.css'].map(
    (page) => pathname + page,
  );
  const links = [...inside, '#gone', 'https://example.com/'];
  try {
    writeFileSync(join(out, 'one.html'), '<h1 id="here">');
    writeFileSync(join(out, 'style.css'), '');
    writeFileSync(join(out, 'two.html'), links.map((link) => `<a href="${link}">x</a>`).join('\n'));
    const found = deadLinks(out);
    expect(found.filter((line) => line.startsWith('two.html'))).toEqual([
      `two.html: ${pathname}one#gone: there is no such anchor`,
      `two.html: ${pathname}gone: there is no such page`,
      'two.html: #gone: there is no such anchor',
    ]);
    expect(found).toContain(`README.md: ${SITE}errors: there is no such page`);
  } finally {
    rmSync(out, { recursive: true });
  }
});
