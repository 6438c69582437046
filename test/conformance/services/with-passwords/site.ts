import type { Accounts } from './accounts.ts';
import type { AgentTokens } from './agent-tokens.ts';
import type { BugId } from './bugs.ts';
import type { Providers } from './providers.ts';
import type { Registrations } from './registrations.ts';
import type { Sessions } from './sessions.ts';

/** What all routes share. */
export interface Site {
  readonly base: string;
  readonly now: () => number;
  readonly bug: BugId | undefined;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly registrations: Registrations;
  readonly providers: Providers;
  readonly tokens: AgentTokens;
}

export const SCOPES = { preClaim: ['api.read'], claimed: ['api.read', 'api.write'] } as const;

/** Seconds. */
export const LIFE = {
  attempt: 600,
  window: 24 * 3600,
  accessToken: 3600,
  assertion: 3600,
  claimedAssertion: 30 * 24 * 3600,
  interval: 5,
  redelivery: 600,
} as const;

/** Thrown by what a route calls, and answered in that endpoint's envelope. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 429 | 503;
  readonly code: string;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    status: Refusal['status'],
    code: string,
    text: string,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    super(text);
    this.status = status;
    this.code = code;
    this.members = members;
  }
}

const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Lower-cased, or undefined where it is no email address that we write to. */
export function emailOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 254) return undefined;
  // Only ASCII is lower-cased: folding of other letters would turn one address into another.
  const email = value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return ADDRESS.test(email) ? email : undefined;
}
