import { isClientId } from '../../protocol/client-id.ts';
import { SECOND } from '../../protocol/durations.ts';
import { isStorableText } from '../../protocol/text.ts';
import { mayRedirect, type ProviderClient } from '../clients/provider-client.ts';
import type { ProviderConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import { clientScopes, NO_OPENID } from '../mint/scopes.ts';
import { isAgent } from '../tokens/identify-client.ts';

/** Where the answer goes. */
export interface AnswerPlace {
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** An authorization request that can be answered (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest extends AnswerPlace {
  readonly clientId: string;
  readonly nonce: string | undefined;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  /** The oldest sign-in that will do, in milliseconds; undefined: any. */
  readonly maxAge: number | undefined;
  readonly prompts: readonly string[];
  readonly loginHint: string | undefined;
}

export type ReadAuthorization =
  | { readonly kind: 'asked'; readonly request: AuthorizationRequest }
  /** Nobody may be redirected (RFC 6749 §4.1.2.1). */
  | { readonly kind: 'untrusted'; readonly problem: string }
  | {
      readonly kind: 'refused';
      readonly place: AnswerPlace;
      readonly error: string;
      readonly description: string;
    };

/** A verifier's S256 (RFC 7636 §4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** @param query of the request; what is empty counts as missing (RFC 6749 §3.1). */
export function readAuthorization(
  query: URLSearchParams,
  config: ProviderConfig,
): ReadAuthorization {
  const get = (name: string) => query.get(name) || undefined;
  const target = readTarget(query, config);
  if (typeof target === 'string') return { kind: 'untrusted', problem: target };
  const { client, clientId, redirectUri } = target;
  const state = get('state');
  const place = { redirectUri, state };
  const refuse = (error: string, description: string): ReadAuthorization => {
    return { kind: 'refused', place, error, description };
  };
  const twice = [...query.keys()].find(
    (name) => name !== 'resource' && query.getAll(name).length > 1,
  );
  if (twice !== undefined) return refuse('invalid_request', 'A parameter is given twice.');
  if (![...query.values()].every(isStorableText)) {
    return refuse('invalid_request', 'A parameter holds U+0000.');
  }
  if (get('response_type') !== 'code') {
    return refuse('unsupported_response_type', 'The response_type is code.');
  }
  if (![undefined, 'query'].includes(get('response_mode'))) {
    return refuse('invalid_request', 'The response_mode is query.');
  }
  const scopes = clientScopes(get('scope')?.split(' ') ?? []);
  if (scopes === undefined) return refuse('invalid_scope', NO_OPENID);
  const challenge = get('code_challenge');
  const problem = challengeProblem(challenge, get('code_challenge_method'), client);
  if (problem !== undefined) return refuse('invalid_request', problem);
  const maxAge = get('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    return refuse('invalid_request', 'max_age is not a number of seconds.');
  }
  return {
    kind: 'asked',
    request: {
      ...place,
      clientId,
      nonce: get('nonce'),
      scopes,
      challenge,
      maxAge: maxAge === undefined ? undefined : Number(maxAge) * SECOND,
      prompts: get('prompt')?.split(' ') ?? [],
      loginHint: get('login_hint'),
    },
  };
}

/** Whom the answer is for, and where it goes; a text that says why nobody may be redirected. */
function readTarget(query: URLSearchParams, config: ProviderConfig) {
  const clientId = query.get('client_id') ?? '';
  const client = config.clients.find(({ id }) => id === clientId);
  // The agent is public, and answered at a loopback address, as every client is that says no other.
  const isKnown =
    client !== undefined || config.clients.length === 0 || isAgent({ config }, clientId);
  if (!isKnown || !isClientId(clientId)) return 'The client is unknown.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!mayRedirect(redirectUri, client)) return 'The redirect_uri is not one of this client.';
  return { client, clientId, redirectUri };
}

/** Where an authorization request at this path of ours leads, if it may. */
export function redirectTarget(path: string, config: ProviderConfig): URL | undefined {
  const { pathname, searchParams } = new URL(path, config.issuer);
  if (pathname !== PATHS.authorize) return undefined;
  const target = readTarget(searchParams, config);
  return typeof target === 'string' ? undefined : new URL(target.redirectUri);
}

/** A method that is left out means `plain` (RFC 7636 §4.3), which shows the verifier to whoever sees the request. */
function challengeProblem(
  challenge: string | undefined,
  method: string | undefined,
  client: ProviderClient | undefined,
): string | undefined {
  if (challenge === undefined) {
    const isConfidential = client !== undefined && !client.public;
    return isConfidential && method === undefined ? undefined : 'code_challenge is missing.';
  }
  if (method !== 'S256') return 'The code_challenge_method is S256.';
  return CHALLENGE.test(challenge) ? undefined : 'code_challenge is not the S256 of a verifier.';
}
