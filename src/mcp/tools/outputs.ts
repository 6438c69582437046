import * as z from 'zod';

/**
 * The members of answers. A result that is an error has `error` and `next` in their place, and fits the schema, too:
 * hosts with version 1 of the protocol's client package hold errors against it, and lose those that do not. Hosts hand
 * these schemas to models with every request: of what is inside, they say what goes on from it.
 */

export const next = z
  .looseObject({
    needs: z.array(z.string()),
  })
  .describe(
    'What goes on from here: tool and arguments, or user_command for the user to type. needs: what is missing.',
  );

export const registration = z
  .looseObject({
    registration_id: z.string(),
    state: z.string(),
  })
  .describe('No secret is in it.');

export const claim = z
  .looseObject({
    user_code: z.string().nullable(),
    verification_uri: z.string().nullable(),
    shown_by_host: z.boolean(),
  })
  .describe(
    'What the user has to do. Show link and code to the user unless shown_by_host is true.',
  );

export const warnings = z.array(z.unknown());

export const scopes = z.array(z.string()).nullable().describe('null: not said.');

export const unansweredPolls = z
  .number()
  .describe('Of the end of the wait: it is not known whether the user has acted.');

/** @param members beside `status` and `next`; each may be missing, by the status. */
export function output(
  statuses: readonly [string, ...string[]],
  members: Readonly<Record<string, z.ZodType>> = {},
) {
  const optional = Object.entries(members).map(([name, member]) => [name, member.optional()]);
  return z.looseObject({
    status: z.enum([...statuses, 'error']),
    ...(Object.fromEntries(optional) as Record<string, z.ZodOptional>),
    next: next.optional(),
    error: z.looseObject({}).optional(),
  });
}
