import type { AnswerFault } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly in its discovery documents and challenges. */
export const DISCOVERY_FAULTS = {} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly in its discovery documents and challenges. */
export const DISCOVERY_ANSWER_FAULTS = {} as const satisfies Readonly<Record<string, AnswerFault>>;
