/** One point in which a request or an answer is not as it was recorded. It quotes no secret. */
export interface Difference {
  /** `method`, `header authorization`, `body.grant_type`. */
  readonly at: string;
  /** What was recorded there, or `nothing`. */
  readonly recorded: string;
  readonly got: string;
}

export const NOTHING = 'nothing';
