import type { AnswerFault } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly with events of providers. */
export const EVENTS_FAULTS = {} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly with events of providers. */
export const EVENTS_ANSWER_FAULTS = {} as const satisfies Readonly<Record<string, AnswerFault>>;
