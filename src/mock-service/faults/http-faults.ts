import type { AnswerFault } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly with methods, media types, bodies and headers. */
export const HTTP_FAULTS = {} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly with methods, media types, bodies and headers. */
export const HTTP_ANSWER_FAULTS = {} as const satisfies Readonly<Record<string, AnswerFault>>;
