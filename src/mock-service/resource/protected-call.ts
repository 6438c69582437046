import type { BearerCredentials } from '../../mock/http/request.ts';
import type { CodeAt } from '../../protocol/codes.ts';
import { covers, protectedResourceMetadataUrl } from '../../protocol/urls.ts';
import type { LiveToken } from '../store/token-store.ts';

/** A call of a protected resource. */
export interface ProtectedCall {
  /** The URL without its query. */
  readonly url: string;
  /** What it takes; empty where any token will do. */
  readonly scopes: readonly string[];
  readonly credentials: BearerCredentials | undefined;
  /** Undefined for expired, revoked, malformed and unknown tokens alike. */
  readonly token: LiveToken | undefined;
}

/** The parameters by the names of RFC 6750 §3 and RFC 9728 §5.1. */
type ChallengeParams = Readonly<Record<string, string | undefined>>;

/** The token that is valid for a call, or the code that it is refused with (RFC 6750 §3.1). */
export function judgeCall({
  credentials,
  scopes,
  token,
  url,
}: ProtectedCall): LiveToken | CodeAt<'resource'> {
  if (credentials === undefined) return 'missing_token';
  if (token === undefined || !covers(token.resource, url)) return 'invalid_token';
  return scopes.every((each) => token.scopes.includes(each)) ? token : 'insufficient_scope';
}

/** The challenge to a call that is refused. It names no error to a call without credentials (RFC 6750 §3.1). */
export function challengeTo(
  { scopes, url }: ProtectedCall,
  code: CodeAt<'resource'>,
): ChallengeParams {
  return {
    resource_metadata: protectedResourceMetadataUrl(url),
    error: code === 'missing_token' ? undefined : code,
    scope: code === 'insufficient_scope' ? scopes.join(' ') : undefined,
  };
}
