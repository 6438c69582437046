import { z } from 'zod';
import { LEVELS, ROLES } from './model.ts';
import type { Requirement } from './requirement.ts';

const sentence = z.string().min(1);

/** One entry of `fixtures/requirements/*.yaml`. */
export const REQUIREMENT: z.ZodType<Requirement> = z
  .strictObject({
    id: z.string().regex(/^[A-Z]+\d*-[A-Z0-9-]+(\.(service|agent|provider))?$/),
    /** Who has to do it. */
    role: z.enum(ROLES),
    level: z.enum(LEVELS),
    description: sentence,
    sources: z.array(sentence).min(1),
    /** The checks that judge it. */
    checks: z.array(sentence).min(1).optional(),
    /** Why a black box cannot see it. */
    untestable: sentence.optional(),
    /** Where two sources disagree: which reading is judged, and which one only warns. */
    clash: z
      .strictObject({ id: z.string().regex(/^(X|WIRE)-\d\d$/), judged: sentence, other: sentence })
      .optional(),
  })
  .refine(({ checks, untestable }) => (checks === undefined) !== (untestable === undefined), {
    error: 'It has either checks or a reason why it is untestable.',
  });
