import { isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import type { Answer } from '../../http/answer.ts';
import { readEnd } from '../../http/read-end.ts';
import { readSecret } from '../../http/read-members.ts';
import type { IdentityAssertion, RefreshToken } from '../../model.ts';
import { readTime } from './read-time.ts';

/** What `identity` holds: the assertion, and after a claim the refresh token beside it. */
export interface Identity {
  readonly assertion: IdentityAssertion;
  /** Left out: the answer has none. */
  readonly refresh?: RefreshToken;
}

/**
 * `undefined`: the answer gives no identity. Of one that mixes families the flat member is taken where it has
 * no assertion in `identity`, which may then describe whom it is about.
 * @throws AgentError `bad_answer` for one that cannot be sent.
 */
export function readIdentity(
  answer: Answer,
  who: string,
  json: JsonObject,
  now: number,
): Identity | undefined {
  const { identity, identity_assertion: flat, assertion_expires: flatEnd } = json;
  const inside: JsonObject = isJsonObject(identity) ? identity : {};
  const { assertion: value, expires_at: end, refresh_token: refresh } = inside;
  const isGiven = value !== undefined && value !== null;
  if (!isGiven && typeof flat !== 'string') return undefined;
  const given = isGiven
    ? { name: 'identity.assertion', value, end }
    : { name: 'identity_assertion', value: flat, end: flatEnd };
  const assertion = readValue(answer, who, given, now);
  const next = readRefresh(answer, who, refresh, now);
  return { assertion, ...(next && { refresh: next }) };
}

/** An object; or, as a simpler service may have it, the token alone. */
function readRefresh(
  answer: Answer,
  who: string,
  given: unknown,
  now: number,
): RefreshToken | undefined {
  if (given === undefined || given === null) return undefined;
  const name = 'identity.refresh_token';
  if (!isJsonObject(given)) {
    return readValue(answer, who, { name, value: given, end: undefined }, now);
  }
  const { value, expires_at: end } = given;
  return readValue(answer, who, { name: `${name}.value`, value, end }, now);
}

interface Given {
  readonly name: string;
  readonly value: unknown;
  readonly end: unknown;
}

function readValue(
  answer: Answer,
  who: string,
  { name, value, end }: Given,
  now: number,
): IdentityAssertion {
  if (typeof value !== 'string') {
    throw new AgentError(
      `${who} (${answer.where}) answered without a usable ${name}: it must be text.`,
      { code: 'bad_answer' },
    );
  }
  const secret = readSecret(answer, who, name, value);
  const expiresAt = readTime(answer, who, { name: `the end of ${name}`, value: end }, now);
  return {
    value: secret,
    expiresAt: expiresAt ?? readEnd(answer, { spans: [], value: secret, now }),
  };
}
