import type { AnswerFault } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly with registrations and claims. */
export const REGISTRATION_FAULTS = {} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly with registrations and claims. */
export const REGISTRATION_ANSWER_FAULTS = {} as const satisfies Readonly<
  Record<string, AnswerFault>
>;
