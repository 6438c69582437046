// The site of the docs: `npm run docs:site` builds it into `.vitepress/dist`. Pages stay where they are, in `docs`; what
// the code generates is written to `generated` first.
import { dirname, join, posix, relative } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf, leadTo, REPOSITORY, ROOT, SITE } from '../../../scripts/site/places.js';
import { sidebar } from '../../../scripts/site/sidebar.js';

export default defineConfig({
  title: 'agent-auth',
  description: 'Reference agent, mocks and conformance suite for agentic registration',
  lang: 'en',
  base: new URL(SITE).pathname,
  srcDir: '..',
  srcExclude: ['examples/**'],
  rewrites: { 'README.md': 'by-task.md', 'site/generated/:page(.*)': ':page' },
  cacheDir: '../../.cache/site',
  cleanUrls: true,
  // The name of a block's language is too pale to be read otherwise (WCAG 2.2, 1.4.3).
  head: [['style', {}, 'html:root { --vp-code-lang-color: var(--vp-c-text-2) }']],
  vite: {
    // The index of the search is 1.3 MB, and fetched when somebody searches.
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [{ name: 'from-site', enforce: 'pre', resolveId: fromSite }],
  },
  sitemap: { hostname: SITE },
  // Nobody edits what is generated.
  transformPageData: ({ filePath, frontmatter }) =>
    filePath.startsWith('site/') ? { frontmatter: { ...frontmatter, editLink: false } } : undefined,
  markdown: {
    anchor: { slugify: anchorOf },
    config: rewriteLinks,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
  },
  themeConfig: {
    nav: [
      { text: 'By task', link: '/by-task' },
      { text: 'Commands', link: '/commands/' },
      { text: 'Library', link: '/library/' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        // The index needs the words of a block, and no colours.
        _render: (text, env, md) => md.render(text.replace(/^( *```)\w+/gm, '$1text'), env),
        miniSearch: {
          options: { tokenize },
          searchOptions: {
            combineWith: 'AND',
            fuzzy: 0.1,
            boost: { title: 6, text: 2, titles: 1 },
            boostDocument: writtenFirst,
          },
        },
      },
    },
  },
});

/** The pages stand above `node_modules`: what VitePress lets them import is found from here. */
function fromSite(id, importer, options) {
  if (!/^vue(\/|$)/.test(id) || importer?.startsWith(import.meta.dirname)) return undefined;
  if (options.ssr) return { id, external: true };
  return this.resolve(id, join(import.meta.dirname, 'config.js'), { ...options, skipSelf: true });
}

/**
 * A code is found whole, and by its parts: `slow_down`, `slow`, `down`. It runs in the browser, too, and so stands alone.
 */
function tokenize(text) {
  const words = text.split(/[^\p{L}\p{N}_-]+/u);
  return words.flatMap((word) => [...new Set([word, ...word.split(/[_-]+/)])]).filter(Boolean);
}

/** What explains comes before what lists. It runs in the browser, too, and so stands alone. */
function writtenFirst(id) {
  return /\/(library|schemas|checks)\//.test(id) ? 0.4 : 1;
}

/** Pages link one another, and files, from where they stand in the project. */
function rewriteLinks(md) {
  md.core.ruler.push('lead-links', ({ env, tokens }) => {
    if (env.realPath === undefined) return;
    const source = env.frontmatter?.source ?? relative(ROOT, env.realPath);
    const folder = dirname(env.realPath);
    const picture = (link) => {
      const path = relative(folder, join(ROOT, posix.dirname(source), link));
      return path.startsWith('.') ? path : `./${path}`;
    };
    for (const token of tokens.flatMap((each) => [each, ...(each.children ?? [])])) {
      if (token.type === 'link_open') token.attrSet('href', leadTo(token.attrGet('href'), source));
      if (token.type === 'image') token.attrSet('src', picture(token.attrGet('src')));
    }
  });
}
