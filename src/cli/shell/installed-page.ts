import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Where a page of this package lies on this machine, as an editor opens it from `folder`: relative below it.
 * @param page by its path in the package, such as `docs/json.md`.
 */
export function installedPage(page: string, folder: string): string {
  const own = createRequire(import.meta.url).resolve('agent-auth/package.json');
  const path = join(dirname(own), page);
  const below = relative(folder, path);
  return below.startsWith('..') ? path : below;
}

/** The text with each page of this package that it names, such as `docs/mcp.md`, by a path that opens. */
export function withInstalledPages(text: string, folder = process.cwd()): string {
  return text.replace(/(?<![\w/.-])docs\/[\w/-]+\.md\b/g, (page) => {
    const path = installedPage(page, folder);
    return existsSync(resolve(folder, path)) ? path : page;
  });
}
