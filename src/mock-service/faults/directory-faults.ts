import type { AnswerFault } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly in the service directory. */
export const DIRECTORY_FAULTS = {} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly in the service directory. */
export const DIRECTORY_ANSWER_FAULTS = {} as const satisfies Readonly<Record<string, AnswerFault>>;
