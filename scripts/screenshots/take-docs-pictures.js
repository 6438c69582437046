import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { palettePng } from './palette-png.js';

/** What the npm package ships is small. */
const MOST_BYTES = 120_000;
const WINDOW = { width: 1000, height: 300 };

/**
 * @param {import('playwright-core').Browser} browser
 * @param {readonly import('./docs-pictures.js').DocsPicture[]} pictures
 * @param {string} out a folder
 */
export async function takeDocsPictures(browser, pictures, out) {
  const context = await browser.newContext({ colorScheme: 'light', deviceScaleFactor: 1 });
  try {
    for (const { name, open, dark = false, size } of pictures) {
      const page = await context.newPage();
      await page.setViewportSize(size ?? WINDOW);
      await open(page);
      const take = async (/** @type {string} */ file) => {
        // A terminal as wide as its lines, a page as high as it is.
        const terminal = page.locator('body > pre:only-child');
        const png = (await terminal.count())
          ? await terminal.screenshot({ omitBackground: true })
          : await page.screenshot({ fullPage: size === undefined });
        keep(join(out, `${file}.png`), palettePng(png));
      };
      await take(name);
      if (dark) {
        await page.emulateMedia({ colorScheme: 'dark' });
        await take(`${name}-dark`);
      }
      await page.close();
    }
  } finally {
    await context.close();
  }
}

/**
 * @param {string} file
 * @param {Buffer} png
 */
function keep(file, png) {
  if (png.length > MOST_BYTES) throw new Error(`${file} is larger than ${MOST_BYTES} bytes.`);
  writeFileSync(file, png);
  process.stdout.write(`${file}: ${Math.ceil(png.length / 1000)} kB\n`);
}
