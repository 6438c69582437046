import type { Data } from './data.ts';

/** Every status that an answer can say, with its text: what `/server/codes` lists. */
const STATUS_MESSAGES = {
  200: 'Request successful',
  204: 'No data returned',
  401: 'Invalid API key',
  403: 'The provided API key has been banned',
  429: 'API request limit reached',
  501: 'Invalid method',
  511: 'API key is required (?key=)',
} as const;

export type DirectoryStatus = keyof typeof STATUS_MESSAGES;

/** The version of the API; the first part of it is the one in the path. */
const API_VERSION = 2.07;

export interface AnswerFacts {
  /** Successful calls so far. */
  readonly requests: number;
  /** Milliseconds. */
  readonly now: number;
  readonly status: DirectoryStatus;
  /** `null` when the path is of no method. */
  readonly methodId: number | null;
  readonly data: Data;
}

/** The shape of every answer, with its members in the published order. */
export function directoryAnswer(facts: AnswerFacts): { readonly [member: string]: Data } {
  const { data, methodId, now, requests, status } = facts;
  return {
    meta: {
      requests,
      timestamp: Math.floor(now / 1000),
      status,
      message: STATUS_MESSAGES[status],
      method_id: methodId,
      version: API_VERSION,
      method: {},
    },
    data,
  };
}
