import { SECOND } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** What is told of an access token: its lifetime in milliseconds, and its scopes. */
interface Issued {
  readonly accessToken: string;
  readonly lifetime: number;
  readonly scopes: readonly string[];
}

/** The answer of every grant (RFC 6749 §5.1), and its sample in the skill file: never with a refresh token. */
export function tokenAnswer({ accessToken, lifetime, scopes }: Issued): JsonObject {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.ceil(lifetime / SECOND),
    // RFC 6749 §3.3 has no empty scope.
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}
