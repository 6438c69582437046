import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { explain } from '../shell/explain.ts';
import type { Next } from '../shell/next.ts';
import type { JsonData } from '../shell/output.ts';

export type CheckStatus = 'ok' | 'warn' | 'fail';

/** Something that `doctor` looked at. */
export interface Check {
  /** Stable, `snake_case`. */
  readonly id: string;
  readonly status: CheckStatus;
  /** What was found, as a sentence. */
  readonly summary: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
  readonly next?: Next | undefined;
  readonly details?: JsonData | undefined;
  /** What a failure means for the exit code. */
  readonly outcome?: Exclude<Outcome, 'done'> | undefined;
}

/** The checks of one subject. */
export interface CheckGroup {
  readonly title: string;
  readonly checks: readonly Check[];
}

type More = Omit<Check, 'id' | 'status' | 'summary'>;

export const ok = (id: string, summary: string, more: More = {}): Check => ({
  id,
  status: 'ok',
  summary,
  ...more,
});

export const warn = (id: string, summary: string, more: More = {}): Check => ({
  ...ok(id, summary, more),
  status: 'warn',
});

/** An error that a command would end with, as a check. */
export function failed(id: string, error: unknown, context: Context): Check {
  const { message, hint, next, outcome, code } = explain(error, context);
  // Interrupted by the user: no further checks.
  if (outcome === 'interrupted') throw error;
  // doctor does not suggest itself.
  const other = next?.argv.includes('doctor') ? undefined : next;
  return { id, status: 'fail', summary: message, hint, next: other, outcome, details: { code } };
}
