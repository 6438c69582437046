import * as z from 'zod';
import { IDENTITY_TYPES } from '../../protocol/index.ts';
import { DEFAULT_WAIT } from '../world/waits.ts';

/** What several tools are asked for. */

const URL_LENGTH = 2048;

/** A word or a URL, of at most so many characters. */
export function word(most: number, says: string) {
  return z.string().min(1).max(most).describe(says);
}

/** A whole number. */
export function count(least: number, most: number, says: string) {
  return z.int().min(least).max(most).describe(says).optional();
}

/** A flag that is not set, unless the caller sets it. */
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
