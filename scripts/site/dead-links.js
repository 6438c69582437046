/**
 * What VitePress does not look at: anchors, the links of README and of other pages to the site, and those that a page
 * has as HTML.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parse } from 'node-html-parser';
import { ROOT, SITE } from './places.js';

/**
 * @param {string} out the built site
 * @returns {string[]} a line each
 */
export function deadLinks(out) {
  const base = new URL(SITE);
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' });
  const pages = new Map(
    names
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, parse(readFileSync(join(out, name), 'utf8'))]),
  );
  const ids = new Map(
    [...pages].map(([name, page]) => [
      name,
      new Set(page.querySelectorAll('[id]').map(({ id }) => id)),
    ]),
  );
  /** @param {string} from @param {string} link @param {URL} at @returns {string[]} */
  const problem = (from, link, at) => {
    const url = new URL(link, at);
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return [];
    const path = decodeURIComponent(url.pathname.slice(base.pathname.length));
    const page = [`${path}.html`, posix.join(path, 'index.html')].find((name) => ids.has(name));
    const anchor = decodeURIComponent(url.hash.slice(1));
    if (page === undefined) {
      return path !== '' && existsSync(join(out, path))
        ? []
        : [`${from}: ${link}: there is no such page`];
    }
    return anchor === '' || ids.get(page)?.has(anchor)
      ? []
      : [`${from}: ${link}: there is no such anchor`];
  };
  const onSite = [...pages].flatMap(([name, page]) =>
    page
      .querySelectorAll('[href]')
      .flatMap((each) =>
        problem(name, each.getAttribute('href') ?? '', new URL(name.replace(/\.html$/, ''), base)),
      ),
  );
  const inProject = ['README.md', 'CONTRIBUTING.md'].flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\((https:[^)\s]+)\)/g)].flatMap(
      ([, link = '']) => problem(file, link, base),
    ),
  );
  return [...new Set([...onSite, ...inProject])];
}
