import { displayText } from '../../protocol/index.ts';
import { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { type Answer, requireJson } from './answer.ts';

/** A schema of the vocabulary, as far as a reader needs it. */
export interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };
      };
}

/** What a member must be, by the last part of its name; any other gets a general text. */
const EXPECTED: Readonly<Record<string, string>> = {
  interval: 'a positive whole number of seconds',
  expires_in: 'a positive whole number of seconds',
};

/**
 * The members of a success, in the shape that a schema gives.
 * @throws AgentError `bad_answer` that names the member, or as `requireJson`.
 */
export function readMembers<T>(answer: Answer, who: string, schema: Schema<T>): T {
  const result = schema.safeParse(requireJson(answer, who));
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path ?? [];
  const expected = EXPECTED[String(path.at(-1))];
  throw new AgentError(
    `${who} (${answer.where}) answered without a usable ${path.join('.')}: it must be ${
      expected ?? 'present and of its type'
    }.`,
    { code: 'bad_answer' },
  );
}

/** A token of an answer: printable ASCII without spaces, so that it fits a header and a form. */
export function readSecret(answer: Answer, who: string, member: string, value: string): Secret {
  if (/^[\x21-\x7e]+$/.test(value)) return new Secret(value);
  throw unusable(
    answer,
    who,
    member,
    'is empty or contains characters that a token cannot contain',
  );
}

/** A code for a user: as sent, provided that it can be shown. */
export function readUserCode(answer: Answer, who: string, value: string): Secret {
  if (value.trim() !== '' && displayText(value) === value) return new Secret(value);
  throw unusable(answer, who, 'user_code', 'contains characters that cannot be displayed');
}

function unusable(answer: Answer, who: string, member: string, why: string): AgentError {
  return new AgentError(
    `${who} (${answer.where}) answered with an unusable ${member}: it ${why}.`,
    {
      code: 'bad_answer',
    },
  );
}
