/** Where what the project has stands on the site, and where a link of a page leads there. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { slugOf } from '../package/repository.js';

export const ROOT = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Ends in a slash. */
export const SITE = /** @type {string} */ (manifest.homepage);
export const REPOSITORY = `https://github.com/${slugOf(manifest)}`;
/** What `npm run docs:site` writes, from the root. */
export const GENERATED = 'docs/site/generated';

/** Files of the project, and the pages that show them. */
const PAGES = /** @type {const} */ ([
  [/^README\.md$/, 'index.md'],
  [/^docs\/README\.md$/, 'by-task.md'],
  [/^dist\/docs\/commands(?:\/README\.md)?$/, 'commands/index.md'],
  [/^dist\/docs\/schemas$/, 'schemas/index.md'],
  [/^dist\/docs\/(commands\/.+\.md)$/, '$1'],
  [/^docs\/site\/generated\/(.+\.md)$/, '$1'],
  [/^docs\/([^/]+\.md)$/, '$1'],
]);

/**
 * The page of the site that shows a file.
 * @param {string} file from the root, with forward slashes
 * @returns {string | undefined} from the site's root
 */
export function pageOf(file) {
  const [form, page] = PAGES.find(([pattern]) => pattern.test(file)) ?? [];
  return form === undefined ? undefined : file.replace(form, page ?? '');
}

/**
 * Where a link leads on the site: to a page, as `/page.md#anchor`, or to the repository, for what is a file and no page.
 * One that leads nowhere is left as it is, and fails the build.
 * @param {string} link
 * @param {string} from the file that it stands in, from the root
 */
export function leadTo(link, from) {
  if (link.startsWith(SITE)) return `/${link.slice(SITE.length)}`;
  if (/^([a-z]+:|#|\/)/.test(link)) return link;
  const [, path = '', anchor = ''] = /^([^#]*)(.*)$/.exec(link) ?? [];
  const file = posix.join(posix.dirname(from), path).replace(/\/$/, '');
  const page = pageOf(file);
  if (page !== undefined) return `/${page}${anchor}`;
  const there = join(ROOT, file);
  if (!existsSync(there)) return link;
  return `${REPOSITORY}/${statSync(there).isDirectory() ? 'tree' : 'blob'}/main/${file}${anchor}`;
}

/** A heading's anchor as GitHub names it: pages lead to the same one here and there. @param {string} heading */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
