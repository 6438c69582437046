/** What a user answers on a page. */
export type Decision = 'approve' | 'deny';

/** The `decision` of a form; `undefined` when there is none. */
export function readDecision(value: string | undefined): Decision | undefined {
  return value === 'approve' || value === 'deny' ? value : undefined;
}
