import { type JsonObject, type JsonProblem, parseJsonObject } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';

/** The most that is read of an answer which the agent itself interprets, in bytes. */
export const ANSWER_LIMIT = 1024 * 1024;

/** The most that is kept of an answer which was not understood, in bytes. */
export const KEPT_LIMIT = 64 * 1024;

type AnswerBody =
  | { readonly ok: true; readonly json: JsonObject; readonly byteOrderMark?: true | undefined }
  | {
      readonly ok: false;
      readonly problem: JsonProblem | 'empty' | 'too_large' | 'not_utf8' | 'broken_off';
    };

/** An answer that was read to its end. */
export interface Answer {
  /** The URL without its query, which may carry a secret. */
  readonly where: string;
  readonly status: number;
  readonly headers: Headers;
  /**
   * When it was sent, by the `Date` of its server alone: its spans (`expires_in`) count from here. Without a
   * `Date`, the server's time as last seen.
   */
  readonly sentAt: number;
  readonly body: AnswerBody;
  /** The body as it came; of one that cannot be read, how it begins. */
  readonly text?: string;
}

export function readAnswerBody(text: string, byteOrderMark?: true): AnswerBody {
  if (text.trim() === '') return { ok: false, problem: 'empty' };
  const result = parseJsonObject(text);
  return result.ok ? { ok: true, json: result.value, byteOrderMark } : result;
}

const WHAT_CAME = {
  empty: 'nothing where a JSON object was expected',
  too_large: `more than ${ANSWER_LIMIT / 1024 / 1024} MiB`,
  not_utf8: 'text that is not UTF-8',
  broken_off: 'the beginning of an answer',
  not_json: 'something that is not JSON',
  not_an_object: 'JSON that is not an object',
  too_deep: 'JSON that is nested too deeply',
  duplicate_member: 'JSON that names a member twice',
  unstorable_text: 'JSON with characters that are not allowed in text',
} as const satisfies Record<Extract<AnswerBody, { ok: false }>['problem'], string>;

/**
 * The JSON object of a success.
 * @param who for users, as the start of a sentence: `The token endpoint`.
 * @throws AgentError `redirected`, `answer_too_large` or `bad_answer`.
 */
export function requireJson(answer: Answer, who: string): JsonObject {
  const at = `${who} (${answer.where})`;
  if (answer.status >= 300 && answer.status < 400) throw redirected(at);
  if (!answer.body.ok) {
    throw new AgentError(
      `${at} answered ${answer.status} with ${WHAT_CAME[answer.body.problem]}.`,
      {
        code: answer.body.problem === 'too_large' ? 'answer_too_large' : 'bad_answer',
      },
    );
  }
  return answer.body.json;
}

/** @param at who answered, as the start of a sentence. */
export function redirected(at: string, cause?: unknown): AgentError {
  const message = `${at} answered with a redirect, which is not followed.`;
  return new AgentError(message, { code: 'redirected', cause });
}

/**
 * An answer that began as a success and did not end: what was asked for may be done, and only how the
 * answer begins is known.
 */
export class LostAnswer extends AgentError {
  readonly begun: Answer;

  constructor(failure: AgentError, begun: Answer) {
    const { code, kind, hint, next, cause } = failure;
    super(failure.message, { code, kind, hint, next, cause });
    this.begun = begun;
  }
}
