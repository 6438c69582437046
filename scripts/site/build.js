/**
 * `npm run docs:site`: writes the pages that the code generates, builds the site into `docs/site/.vitepress/dist`, and
 * fails at the first link in it that leads nowhere. The packages of `docs/site` are installed there if they are missing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deadLinks } from './dead-links.js';
import { sitePages } from './pages.js';
import { GENERATED, ROOT } from './places.js';

const site = join(ROOT, 'docs/site');
const out = join(site, '.vitepress/dist');

if (!existsSync(join(site, 'node_modules/vitepress'))) run('npm', 'ci');
rmSync(join(ROOT, GENERATED), { recursive: true, force: true });
for (const { page, markdown } of sitePages()) {
  const path = join(ROOT, GENERATED, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, markdown);
}
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build');
// As files, too, for what reads a schema and no page.
cpSync(join(ROOT, 'dist/docs/schemas'), join(out, 'schemas'), { recursive: true });
for (const problem of deadLinks(out)) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

/** In the site's folder. @param {string} command @param {...string} words */
function run(command, ...words) {
  const { status } = spawnSync(command, words, { cwd: site, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
