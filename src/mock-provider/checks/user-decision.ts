/** What a user answers on a page. */
export type UserDecision = 'approve' | 'deny';

/** The `decision` of a form; `undefined` when there is none. */
export function readDecision(value: string | undefined): UserDecision | undefined {
  return value === 'approve' || value === 'deny' ? value : undefined;
}
