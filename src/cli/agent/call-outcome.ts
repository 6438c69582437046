import type { Outcome } from '../shell/exit-codes.ts';

/** What the status of a call's answer means for the exit code. */
export function callOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return 'done';
  if (status === 401) return 'unregistered';
  // A 429 is one thing in every command.
  return status === 403 || status === 429 ? 'refused' : 'failed';
}
