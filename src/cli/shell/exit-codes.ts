/**
 * What can become of a command, and the number it exits with. The one table: `main` exits by it and
 * `help exit-codes` prints it.
 */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'Done.' },
  failed: {
    code: 1,
    meaning: 'Failed for a reason that has no number of its own; also: a conformance check failed.',
  },
  usage: { code: 2, meaning: 'Wrong usage, or an answer is missing and nobody can be asked.' },
  stale: {
    code: 3,
    meaning: 'A conformance baseline is stale: a check that it lists as failing passes now.',
  },
  unregistered: { code: 4, meaning: 'Not registered, or the registration was revoked.' },
  refused: { code: 5, meaning: 'Refused by the service or by the user.' },
  expired: { code: 6, meaning: 'Expired: start again.' },
  network: { code: 7, meaning: 'The network failed: no usable answer arrived.' },
  pending: { code: 8, meaning: 'Pending: a person has to act. The output says how to resume.' },
  interrupted: { code: 130, meaning: 'Interrupted by Ctrl-C.' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type Outcome = keyof typeof EXIT_CODES;

/** The command that `exec` ran decides the exit code. */
interface ChildExit {
  readonly childExit: number;
}

/** How a program ends. */
export type Ending = Outcome | ChildExit;

export function exitCode(ending: Ending): number {
  return typeof ending === 'string' ? EXIT_CODES[ending].code : ending.childExit;
}

/** What `exec` exits with when its command did not end by itself: as shells do. */
export const EXEC_EXIT_CODES = {
  notRunnable: { code: 126, meaning: 'exec: the command is there and cannot be run.' },
  notFound: { code: 127, meaning: 'exec: there is no such command.' },
  signalled: { code: 128, meaning: 'exec: plus the number of the signal that ended the command.' },
} as const;
