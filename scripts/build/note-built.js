/** Notes when the build ended, for `if-changed.js`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../../.cache');
mkdirSync(cache, { recursive: true });
writeFileSync(join(cache, 'built'), `${new Date().toISOString()}\n`);
