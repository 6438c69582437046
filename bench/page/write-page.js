import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFigures } from '../figures.js';
import { renderPage } from './render-page.js';

/** Writes `docs/performance.md`. @param {...string} files of figures; a later one has the last word on its parts */
export function writePage(...files) {
  const figures = Object.assign({}, ...files.map(readFigures));
  writeFileSync(join(import.meta.dirname, '../../docs/performance.md'), renderPage(figures));
}
