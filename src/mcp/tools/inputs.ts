import * as z from 'zod';
import { IDENTITY_TYPES } from '../../protocol/index.ts';

/** What several tools are asked for. */

const URL_LENGTH = 2048;

export const service = z
  .string()
  .min(1)
  .max(URL_LENGTH)
  .describe('The service: its URL, or a URL below it. Left out: the service used last.')
  .optional();

export const email = z
  .email()
  .max(254)
  .describe(
    'The email address of the user who is to claim the registration, for example alice@example.com. Only the user knows it: ask, never guess.',
  )
  .optional();

export const provider = z
  .string()
  .min(1)
  .max(URL_LENGTH)
  .describe(
    'The URL of an identity provider that signs the user in and vouches for them (ID-JAG), for example https://id.example.com.',
  );

export const clientId = z
  .string()
  .min(1)
  .max(URL_LENGTH)
  .describe('A client that the user has set up (cross-app access): its id.')
  .optional();

export const type = z
  .enum(IDENTITY_TYPES)
  .describe(
    'How to register: anonymous (nobody is named), service_auth (a user is named by email and has to confirm), identity_assertion (a provider vouches for the user). Left out: the lightest that fits.',
  )
  .optional();

export const scopes = z
  .array(z.string().min(1).max(200))
  .max(50)
  .describe(
    'What the token has to allow, for example ["api.read"]. Left out: whatever is given without asking a user.',
  )
  .optional();

/** The longest wait in one call, in seconds. */
const LONGEST_WAIT = 600;

/** Hosts end a call after a minute, as a rule. */
export const DEFAULT_WAIT = 45;

export const timeout = z
  .number()
  .min(1)
  .max(LONGEST_WAIT)
  .describe(
    `Seconds to wait at most, from 1 to ${LONGEST_WAIT}. Default ${DEFAULT_WAIT}: many hosts end a call after 60. When it is over, call again: nothing is lost.`,
  )
  .optional();

/** Seconds as the milliseconds of the library. */
export function milliseconds(seconds: number | undefined): number {
  return (seconds ?? DEFAULT_WAIT) * 1000;
}
