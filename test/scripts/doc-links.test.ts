import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { pageNames } from '../package/pages/read-page.ts';
import { anchorsIn, relativeLinks } from '../support/anchors.ts';

const root = join(import.meta.dirname, '../..');

const pages = ['CONTRIBUTING.md', ...pageNames()].map((page) => join(root, page));

/** Why a link leads nowhere. */
function problem(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return `${relative(root, page)}: ${link}: there is no such file`;
  if (anchor === undefined || statSync(target).isDirectory()) return undefined;
  return anchorsIn(readFileSync(target, 'utf8')).has(anchor)
    ? undefined
    : `${relative(root, page)}: ${link}: there is no such anchor`;
}

it('has no link between its pages that leads nowhere', () => {
  const links = pages.flatMap((page) =>
    relativeLinks(readFileSync(page, 'utf8')).map((link) => ({ page, link })),
  );
  expect(links.length).toBeGreaterThan(60);
  expect(links.flatMap(({ page, link }) => problem(page, link) ?? [])).toEqual([]);
});

// The site has its list of pages from there, too.
it('has each of its pages in a table of the start page', () => {
  const start = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const rows = start.split('\n').filter((line) => line.startsWith('|'));
  const listed = rows.flatMap(relativeLinks).map((link) => `docs/${link.split('#')[0]}`);
  const own = pageNames().filter((name) => /^docs\/(?!README)[^/]+$/.test(name));
  expect(own.length).toBeGreaterThan(25);
  expect(own.filter((name) => !listed.includes(name))).toEqual([]);
});

it('names no file to contributors that is not there', () => {
  const here = ['src', 'fixtures', 'test', 'scripts', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  );
  const isHere = (name: string) => here.some((path) => `/${path}`.endsWith(`/${name}`));
  const rooms = here.filter((path) => /^(src|fixtures|test|scripts)\/.*\bREADME\.md$/.test(path));
  const missing = ['CONTRIBUTING.md', ...rooms].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w./-]+(?:\/|\.(?:ts|js|ya?ml)))`/g)]
      .map(([, name = '']) => name.replace(/\/$/, ''))
      .filter((name) => !isHere(name) && !existsSync(join(root, name)))
      .map((name) => `${page}: ${name}`),
  );
  expect(rooms.length).toBeGreaterThan(15);
  expect(missing).toEqual([]);
});

it('tells an anchor from one that is missing', () => {
  const page =
    '# A title\n\n## Sub-heading, with `code`\n\n```\n# no heading\n```\n<a id="x-1"></a>\n## A title\n';
  expect([...anchorsIn(page)].sort()).toEqual([
    'a-title',
    'a-title-1',
    'sub-heading-with-code',
    'x-1',
  ]);
});
