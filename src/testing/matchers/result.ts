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

/** What was expected: `Expected ${subject} ${verb}.`; without a subject, `Expected ${verb}.` */
export interface Expected {
  readonly subject?: string;
  readonly verb: string;
  /** The verb of the opposite, where that is not `not ${verb}`. */
  readonly opposite?: string;
}

/** A match with the sentence for either case: shown where it passes under `not`, or fails. */
export function match(pass: boolean, { subject, verb, opposite }: Expected, seen: string): Match {
  const said = pass ? (opposite ?? `not ${verb}`) : verb;
  const words = [subject, said].filter((word) => word !== undefined);
  return { pass, message: () => `Expected ${words.join(' ')}. ${seen}` };
}

/** Fails with and without `not`: there was nothing to look at, so neither would say anything. */
export function matchOfNothing({ isNot }: MatcherCall, expected: Expected, seen: string): Match {
  return match(isNot, expected, seen);
}
