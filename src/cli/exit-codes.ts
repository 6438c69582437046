/**
 * What can become of a command, and the number it exits with. The one table: `main` exits by it and
 * `help exit-codes` prints it.
 */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'Done.' },
  failed: { code: 1, meaning: 'Failed for a reason that has no number of its own.' },
  usage: { code: 2, meaning: 'Wrong usage, or an answer is missing and nobody can be asked.' },
  unregistered: { code: 4, meaning: 'Not registered, or the registration was revoked.' },
  refused: { code: 5, meaning: 'Refused by the service or by the user.' },
  expired: { code: 6, meaning: 'Expired: start again.' },
  network: { code: 7, meaning: 'The network failed: no usable answer arrived.' },
  pending: { code: 8, meaning: 'Pending: a person has to act. The output says how to resume.' },
  interrupted: { code: 130, meaning: 'Interrupted by Ctrl-C.' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type Outcome = keyof typeof EXIT_CODES;

export function exitCode(outcome: Outcome): number {
  return EXIT_CODES[outcome].code;
}
