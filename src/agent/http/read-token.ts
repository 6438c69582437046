import { displayText, NOT_A_BEARER } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AccessToken } from '../model.ts';
import type { Answer } from './answer.ts';
import { readSecret } from './read-members.ts';

/** The members of RFC 6749 §5.1. */
export interface TokenMembers {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in?: number | undefined;
  readonly scope?: string | undefined;
}

/**
 * A bearer token. Its type is compared without regard to case, and an unknown one is not used
 * (RFC 6749 §7.1); least of all `N_A`, which says that it is no token at all (RFC 8693 §2.2.1).
 */
export function readBearerToken(
  answer: Answer,
  who: string,
  members: TokenMembers,
  now: number,
): AccessToken {
  const type = members.token_type.toLowerCase();
  if (type !== 'bearer') {
    const shown = type === NOT_A_BEARER.toLowerCase() ? NOT_A_BEARER : displayText(type, 40);
    throw new AgentError(
      `${who} (${answer.where}) answered with a token of the type ${shown}, which cannot be used as a bearer token.`,
      { code: 'unknown_token_type' },
    );
  }
  return {
    value: readSecret(answer, who, 'access_token', members.access_token),
    scopes: members.scope === undefined ? null : splitScope(members.scope),
    expiresAt: members.expires_in === undefined ? null : now + members.expires_in * 1000,
  };
}

export function splitScope(scope: string): readonly string[] {
  return displayText(scope, 1000)
    .split(' ')
    .filter((name) => name !== '');
}
