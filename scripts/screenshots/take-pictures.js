import { join } from 'node:path';

const WIDE = { width: 1024, height: 720 };
const NARROW = { width: 320, height: 640 };

/**
 * Three pictures of each shot. They are of one page: what is shown does not change between them.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {readonly import('../screenshots.js').Shot[]} shots
 * @param {string} out a folder
 */
export async function takePictures(browser, shots, out) {
  for (const { name, open } of shots) {
    const context = await browser.newContext({
      viewport: WIDE,
      colorScheme: 'light',
      deviceScaleFactor: 1,
    });
    const page = await context.newPage();
    try {
      await open(page);
      const file = (/** @type {string} */ kind) => join(out, `${name}-${kind}.png`);
      await page.screenshot({ path: file('light'), fullPage: true });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.screenshot({ path: file('dark'), fullPage: true });
      await page.setViewportSize(NARROW);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.screenshot({ path: file('320'), fullPage: true });
      process.stdout.write(`${name}\n`);
    } finally {
      await context.close();
    }
  }
}
