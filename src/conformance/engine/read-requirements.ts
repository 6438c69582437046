import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Requirement } from './requirement.ts';
import { REQUIREMENT } from './requirement-schema.ts';

/** Of this package, wherever it is installed and however it is built. */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('agent-auth/package.json')),
  'fixtures',
  'requirements',
);

/**
 * Every requirement, in the order of the files and of their entries.
 * @throws Error naming the file and the entry that is wrong.
 */
export function readRequirements(folder = FOLDER): readonly Requirement[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => {
      const entries = z
        .array(REQUIREMENT)
        .safeParse(parse(readFileSync(join(folder, name), 'utf8')));
      if (!entries.success) throw new Error(`${name}: ${z.prettifyError(entries.error)}`);
      return entries.data;
    });
}
