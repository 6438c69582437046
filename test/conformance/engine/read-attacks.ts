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

/** The variants of each attack of docs/attacks.md, by its id. */
export function readAttacks(root: string): z.infer<typeof ATTACKS> {
  return ATTACKS.parse(parse(readFileSync(join(root, 'fixtures/attack-variants.yaml'), 'utf8')));
}
