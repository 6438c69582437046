import type { Outcome } from './exit-codes.ts';

/** What the status of a call's answer means for the exit code. */
export function callOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return 'done';
  if (status === 401) return 'unregistered';
  return status === 403 ? 'refused' : 'failed';
}
