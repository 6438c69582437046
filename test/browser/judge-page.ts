import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What reaches beyond the window, so that one would have to scroll sideways. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => element.outerHTML.slice(0, 100));
  })()`);
}

/** What axe-core finds. */
export async function violations(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  const isThere = await page.evaluate<boolean>('globalThis.axe !== undefined');
  if (!isThere) await page.evaluate(AXE);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}
