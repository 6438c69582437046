import * as z from 'zod';
import { IDENTITY_TYPES } from '../../protocol/index.ts';
import { DEFAULT_WAIT } from '../world/waits.ts';

/** What several tools are asked for, and what stands in several answers. */

const URL_LENGTH = 2048;

/** A word or a URL, of at most so many characters. */
export function word(most: number, says: string) {
  return z.string().min(1).max(most).describe(says);
}

/** A whole number. */
export function count(least: number, most: number, says: string) {
  return z.int().min(least).max(most).describe(says).optional();
}

/** Not set, unless the caller sets it. */
export function flag(says: string) {
  return z.boolean().describe(says).optional();
}

export const service = word(
  URL_LENGTH,
  'The service: its URL, or a URL below it. Left out: the service used last.',
).optional();

export const email = z
  .email()
  .max(254)
  .describe(
    'The email address of the user who is to claim the registration, for example alice@example.com. Only the user knows it: ask, never guess.',
  )
  .optional();

export const provider = word(
  URL_LENGTH,
  'The URL of an identity provider that signs the user in and vouches for them (ID-JAG), for example https://id.example.com.',
);

export const client_id = word(
  URL_LENGTH,
  'A client that the user has set up (cross-app access): its id.',
).optional();

export const type = z
  .enum(IDENTITY_TYPES)
  .describe(
    'How to register: anonymous (nobody is named), service_auth (a user is named by email and has to confirm), identity_assertion (a provider vouches for the user). Left out: the lightest that fits.',
  )
  .optional();

/** The longest wait in one call, in seconds. */
const LONGEST_WAIT = 600;

export const timeout_seconds = z
  .number()
  .min(1)
  .max(LONGEST_WAIT)
  .describe(
    `Seconds to wait at most, from 1 to ${LONGEST_WAIT}. Default ${DEFAULT_WAIT}: many hosts end a call after 60. When it is over, call again: nothing is lost.`,
  )
  .optional();

export const next = z
  .looseObject({ needs: z.array(z.string()) })
  .describe(
    'What goes on from here: tool and arguments, or user_command for the user to type. needs: what is missing.',
  );

export const registration = z
  .looseObject({ registration_id: z.string(), state: z.string() })
  .describe('No secret is in it.');

/** What the user has to do: of a claim, or of a sign-in. */
export const ceremony = z
  .looseObject({
    user_code: z.string().nullable(),
    verification_uri: z.string().nullable(),
    shown_by_host: z.boolean(),
  })
  .describe(
    'What the user has to do. Show link and code to the user unless shown_by_host is true.',
  );

const scopes = z.array(z.string()).nullable().describe('null: not said.');

const MEMBERS = {
  service: z.looseObject({ issuer: z.string(), resource: z.string() }),
  registration,
  scopes,
  claim: ceremony,
  claim_adds: scopes,
  sign_in: ceremony,
  provider: z.string(),
  untrusted_account: z.string().nullable(),
  untrusted_warnings: z.array(z.unknown()),
  unanswered_polls: z
    .number()
    .describe('Of the end of the wait: it is not known whether the user has acted.'),
  url: z.string(),
  previous_registration_id: z.string().nullable(),
};

/**
 * The schema of a tool's answers. A result that is an error has `error` and `next` in the place of their members, and
 * fits it, too: hosts with version 1 of the protocol's client package hold errors against it, and lose those that do
 * not. Hosts hand these schemas to models with every request: of what is inside, they say what goes on from it.
 * @param names of members that other answers have, too.
 * @param own further members. Each may be missing, by the status.
 */
export function output(
  statuses: readonly [string, ...string[]],
  names: readonly (keyof typeof MEMBERS)[],
  own: Readonly<Record<string, z.ZodType>> = {},
) {
  const members = [...names.map((name) => [name, MEMBERS[name]] as const), ...Object.entries(own)];
  const optional = members.map(([name, member]) => [name, z.optional(member)]);
  return z.looseObject({
    status: z.enum([...statuses, 'error']),
    ...(Object.fromEntries(optional) as Record<string, z.ZodOptional>),
    next: next.optional(),
    error: z.looseObject({}).optional(),
  });
}
