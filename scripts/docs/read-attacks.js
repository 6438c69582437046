import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const sentence = z.string().min(1);

/** One way to try an attack: the checks that perform it, or why none does. */
const VARIANT = z
  .strictObject({
    tried: sentence,
    checks: z.array(sentence).min(1).optional(),
    unseen: sentence.optional(),
  })
  .refine(({ checks, unseen }) => (checks === undefined) !== (unseen === undefined), {
    error: 'It has either checks or a reason why none performs it.',
  });

const ATTACKS = z.record(z.string().regex(/^A-\d\d$/), z.array(VARIANT).min(1));

/**
 * The variants of each attack of docs/attacks.md, by its id.
 *
 * @param {string} root of the project
 * @throws {Error} that names what is wrong with the file
 */
export function readAttacks(root) {
  const file = join(root, 'fixtures/attack-variants.yaml');
  const read = ATTACKS.safeParse(parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}
