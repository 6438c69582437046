// Writes docs/performance.md from figures that were measured before: `node bench/page.js [FILE...]`. Default:
// bench/figures.json.
import { join } from 'node:path';
import { writePage } from './page/write-page.js';

const files = process.argv.slice(2);
writePage(...(files.length > 0 ? files : [join(import.meta.dirname, 'figures.json')]));
