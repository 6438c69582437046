import { displayText, NOT_A_BEARER, tokenResponse } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';
import { after, readEnd } from '../http/read-end.ts';
import { readMembers, readSecret } from '../http/read-members.ts';
import type { Warning } from '../model.ts';
import type { TokenGrant } from './dialect.ts';
import { readNames } from './reading.ts';

const WHO = 'The token endpoint';
/** The members of RFC 6749 §5.1; the specification names the first alone. */
const MEMBERS = tokenResponse.omit({ assertion_expires: true }).partial({ token_type: true });

/** @throws AgentError `bad_answer`, or `unknown_token_type`. */
export function readExchange(answer: Answer): TokenGrant {
  const members = readMembers(answer, WHO, MEMBERS);
  const { access_token, expires_in: seconds, scope, token_type: type } = members;
  requireBearer(answer, WHO, type);
  const { sentAt: now } = answer;
  const value = readSecret(answer, WHO, 'access_token', access_token);
  const end = { spans: ['access_token_expires_in'], value, now };
  const expiresAt = seconds === undefined ? readEnd(answer, end) : after(now, seconds);
  return {
    token: { value, scopes: readNames(scope), expiresAt },
    warnings: type === undefined ? [noTokenType(answer, WHO)] : [],
  };
}

/**
 * The type of a token is compared without regard to case, and an unknown one is not used (RFC 6749 §7.1); least of all
 * `N_A`, which says that it is no token at all (RFC 8693 §2.2.1). One that is missing is a bearer token, the only
 * kind that the specification has (wire contract §6). A direct credential may call itself an API key.
 * @throws AgentError `unknown_token_type`.
 */
export function requireBearer(answer: Answer, who: string, type: unknown, isDirect = false): void {
  if (typeof type !== 'string' || /^bearer$/i.test(type)) return;
  if (isDirect && /^api[_-]?key$/i.test(type)) return;
  const isNone = type.toUpperCase() === NOT_A_BEARER;
  const shown = isNone ? NOT_A_BEARER : displayText(type.toLowerCase(), 40);
  throw new AgentError(
    `${who} (${answer.where}) answered with a token of the type ${shown}, which cannot be used as a bearer token.`,
    { code: 'unknown_token_type' },
  );
}

export function noTokenType(answer: Answer, who: string): Warning {
  return {
    code: 'token_type_missing',
    message: `${who} (${answer.where}) did not say what type of token it gave; it is used as a bearer token.`,
  };
}
