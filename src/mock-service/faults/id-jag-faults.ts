import type { AnswerFault } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly with the ID-JAGs of providers. */
export const ID_JAG_FAULTS = {} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly with the ID-JAGs of providers. */
export const ID_JAG_ANSWER_FAULTS = {} as const satisfies Readonly<Record<string, AnswerFault>>;
