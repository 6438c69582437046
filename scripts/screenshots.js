import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { docsPictures } from './screenshots/docs-pictures.js';
import { liveView } from './screenshots/live-view.js';
import { mockPages } from './screenshots/mock-pages.js';
import { takeDocsPictures } from './screenshots/take-docs-pictures.js';
import { takePictures } from './screenshots/take-pictures.js';

const ROOT = join(import.meta.dirname, '..');

/**
 * What is pictured. To add something, add a gallery: `open` starts what is looked at, and tells its shots.
 *
 * @typedef {object} Shot
 * @property {string} name also of its files
 * @property {(page: import('playwright-core').Page) => Promise<void>} open brings a fresh page to what is pictured
 *
 * @typedef {() => Promise<{ shots: readonly Shot[], flags?: readonly string[], close: () => Promise<void> }>} Gallery
 *   `flags`: arguments for the browser
 *
 * @type {readonly Gallery[]}
 */
const GALLERIES = [() => mockPages(ROOT), () => liveView(ROOT)];

const { values } = parseArgs({
  options: {
    docs: { type: 'boolean', default: false },
    out: { type: 'string' },
    only: { type: 'string', default: '' },
    chromium: { type: 'string', default: 'chromium' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(`npm run screenshots -- [--docs] [--out DIR] [--only TEXT] [--chromium FILE]

Pictures of each page of the mocks in each of its outcomes, and of the live view of the
built program: NAME-light.png, NAME-dark.png, and NAME-320.png, which is 320 pixels wide.

  --docs           the pictures of docs/ instead: the story of its start page, by the built program
  --out DIR        where to (default: .cache/screenshots, which git ignores; with --docs docs/pictures)
  --only TEXT      those alone whose name has it
  --chromium FILE  the browser (default: chromium on the PATH)
`);
} else if (values.docs) {
  const out = openFolder('docs/pictures');
  const { close, pictures } = await docsPictures(ROOT);
  try {
    const browser = await launch();
    await takeDocsPictures(browser, pictures, out).finally(() => browser.close());
  } finally {
    await close();
  }
} else {
  const out = openFolder('.cache/screenshots');
  for (const gallery of GALLERIES) {
    const { close, flags = [], shots } = await gallery();
    try {
      const browser = await launch(flags);
      const chosen = shots.filter(({ name }) => name.includes(values.only));
      await takePictures(browser, chosen, out).finally(() => browser.close());
    } finally {
      await close();
    }
  }
  process.stdout.write(`The pictures are in ${out}\n`);
}

/**
 * @param {string} otherwise where pictures are written without `--out`, from the root
 * @returns {string}
 */
function openFolder(otherwise) {
  const out = resolve(values.out ?? join(ROOT, otherwise));
  mkdirSync(out, { recursive: true });
  return out;
}

/** @param {readonly string[]} flags */
function launch(flags = []) {
  return chromium.launch({
    executablePath: findProgram(values.chromium),
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', ...flags],
  });
}

/**
 * @param {string} name
 * @returns {string}
 */
function findProgram(name) {
  if (name.includes('/')) return name;
  const files = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  const found = files.find((file) => existsSync(file));
  if (found === undefined) throw new Error(`No ${name} is on the PATH: name one with --chromium.`);
  return found;
}
