import { displayText, NOT_A_BEARER } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AccessToken, Warning } from '../model.ts';
import type { Answer } from './answer.ts';
import { after, readEnd } from './read-end.ts';
import { readSecret } from './read-members.ts';

/** The members of RFC 6749 §5.1; the specification names the first alone. */
interface TokenMembers {
  readonly access_token: string;
  readonly token_type?: string | undefined;
  readonly expires_in?: number | undefined;
  readonly scope?: string | undefined;
}

/**
 * A bearer token. Its type is compared without regard to case, and an unknown one is not used
 * (RFC 6749 §7.1); least of all `N_A`, which says that it is no token at all (RFC 8693 §2.2.1). One that
 * is missing is a bearer token, the only kind that the specification has (wire contract §6).
 */
export function readBearerToken(
  answer: Answer,
  who: string,
  members: TokenMembers,
  now: number,
): { readonly token: AccessToken; readonly warnings: readonly Warning[] } {
  const type = members.token_type?.toLowerCase();
  if (type !== undefined && type !== 'bearer') {
    const shown = type === NOT_A_BEARER.toLowerCase() ? NOT_A_BEARER : displayText(type, 40);
    throw new AgentError(
      `${who} (${answer.where}) answered with a token of the type ${shown}, which cannot be used as a bearer token.`,
      { code: 'unknown_token_type' },
    );
  }
  const value = readSecret(answer, who, 'access_token', members.access_token);
  const { expires_in: seconds, scope } = members;
  const spans = ['access_token_expires_in'];
  return {
    token: {
      value,
      scopes: scope === undefined ? null : splitScope(scope),
      expiresAt:
        seconds === undefined ? readEnd(answer, { spans, value, now }) : after(now, seconds),
    },
    warnings: type === undefined ? [noTokenType(answer, who)] : [],
  };
}

function noTokenType(answer: Answer, who: string): Warning {
  return {
    code: 'token_type_missing',
    message: `${who} (${answer.where}) did not say what type of token it gave; it is used as a bearer token.`,
  };
}

function splitScope(scope: string): readonly string[] {
  return displayText(scope, 1000)
    .split(' ')
    .filter((name) => name !== '');
}
