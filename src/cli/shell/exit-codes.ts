import type { ErrorKind } from '../../agent/agent-codes.ts';

/**
 * The outcomes of a command and their exit codes: `main` exits by this table, and `help exit-codes` prints it.
 */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'Done.' },
  failed: {
    code: 1,
    meaning: 'Failed, for a reason not listed below; also: a conformance check failed.',
  },
  usage: {
    code: 2,
    meaning: 'Wrong usage, or an answer is missing and there is no user to ask.',
  },
  stale: {
    code: 3,
    meaning: 'A conformance baseline is stale: a check that it lists as failing passes now.',
  },
  unregistered: { code: 4, meaning: 'Not registered, or the registration was revoked.' },
  refused: { code: 5, meaning: 'Refused by the service or by the user.' },
  expired: { code: 6, meaning: 'Expired: start again.' },
  network: { code: 7, meaning: 'Network failure: no usable response arrived.' },
  pending: { code: 8, meaning: 'Pending: a user has to act. The output says how to resume.' },
  inconclusive: {
    code: 9,
    meaning:
      'Inconclusive: no conformance check failed, but something that has to be judged was not.',
  },
  // As in a shell (POSIX 2.8.2).
  notRunnable: { code: 126, meaning: 'exec: the command was found but cannot be run.' },
  notFound: { code: 127, meaning: 'exec: the command was not found.' },
  interrupted: { code: 130, meaning: 'Interrupted by Ctrl-C.' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type Outcome = keyof typeof EXIT_CODES;

/** What a run ends with, by what became impossible for the agent. */
export const OUTCOME_OF_KIND = {
  usage: 'usage',
  not_registered: 'unregistered',
  refused: 'refused',
  expired: 'expired',
  network: 'network',
  pending: 'pending',
  failed: 'failed',
} as const satisfies Record<ErrorKind, Outcome>;

/** The command that `exec` ran decides the exit code. */
interface ChildExit {
  readonly childExit: number;
}

/** The result of a run. */
export type Ending = Outcome | ChildExit;

export function exitCode(ending: Ending): number {
  return typeof ending === 'string' ? EXIT_CODES[ending].code : ending.childExit;
}

/** What `exec` exits with when its command was ended by a signal, as in a shell (POSIX 2.8.2). */
export const EXEC_EXIT_CODES = {
  signalled: { code: 128, meaning: 'exec: a signal ended the command; its number is added.' },
} as const;

/** What the status of a call's answer means for the exit code. */
export function callOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return 'done';
  if (status === 401) return 'unregistered';
  // A 429 is one thing in every command.
  return status === 403 || status === 429 ? 'refused' : 'failed';
}
