import type { AnswerFault } from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly at its token and revocation endpoints and with access tokens. */
export const TOKEN_FAULTS = {} as const satisfies Readonly<Record<string, string>>;

/** What it can be told to answer wrongly at its token and revocation endpoints and with access tokens. */
export const TOKEN_ANSWER_FAULTS = {} as const satisfies Readonly<Record<string, AnswerFault>>;
