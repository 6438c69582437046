import { z } from 'zod';
import { LEVELS, ROLES } from './model.ts';
import type { Requirement } from './requirement.ts';

const sentence = z.string().min(1);

/** The form of one entry of `fixtures/requirements/*.yaml`. */
export const REQUIREMENT: z.ZodType<Requirement> = z
  .strictObject({
    id: z.string().regex(/^[A-Z]+\d*-[A-Z0-9-]+(\.(service|agent|provider))?$/),
    role: z.enum(ROLES),
    level: z.enum(LEVELS),
    description: sentence,
    sources: z.array(sentence).min(1),
    checks: z.array(sentence).min(1).optional(),
    untestable: sentence.optional(),
    clash: z
      .strictObject({ id: z.string().regex(/^(X|WIRE)-\d\d$/), judged: sentence, other: sentence })
      .optional(),
  })
  .refine(({ checks, untestable }) => (checks === undefined) !== (untestable === undefined), {
    error: 'It has either checks or a reason why it is untestable.',
  });
