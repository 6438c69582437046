import type { AnswerFault } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly on its pages. */
export const PAGES_FAULTS = {} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly on its pages. */
export const PAGES_ANSWER_FAULTS = {} as const satisfies Readonly<Record<string, AnswerFault>>;
