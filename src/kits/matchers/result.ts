/** What a matcher finds: a sentence that says what was expected and what was seen, without a secret. */
export interface Match {
  readonly pass: boolean;
  readonly message: () => string;
}

/** How a matcher was called, as Vitest tells it. */
export interface MatcherCall {
  /** After `.not`. */
  readonly isNot: boolean;
}

/** A match with the sentence for either case: shown where it passes under `not`, or fails. */
export function match(pass: boolean, expected: string, seen: string): Match {
  return { pass, message: () => `Expected ${pass ? 'not ' : ''}${expected}. ${seen}` };
}

/** Fails with and without `not`: there was nothing to look at, so neither would say anything. */
export function matchOfNothing({ isNot }: MatcherCall, expected: string, seen: string): Match {
  return match(isNot, expected, seen);
}
