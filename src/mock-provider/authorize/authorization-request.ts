import { SECOND } from '../../protocol/durations.ts';
import { mayRedirect, type ProviderClient } from '../clients/provider-client.ts';
import type { ProviderConfig } from '../config/config.ts';
import { SIGN_IN_SCOPES } from '../mint/scopes.ts';
import { OFFLINE_ACCESS } from '../store/code-store.ts';

/** An authorization request that can be answered (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
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
      readonly redirectUri: string;
      readonly state: string | undefined;
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
  const clientId = get('client_id');
  const client = config.clients.find(({ id }) => id === clientId);
  const isOpen = config.clients.length === 0;
  if (clientId === undefined || (client === undefined && !isOpen)) {
    return { kind: 'untrusted', problem: 'The client is unknown.' };
  }
  const redirectUri = get('redirect_uri');
  if (redirectUri === undefined || !mayRedirect(redirectUri, client)) {
    return { kind: 'untrusted', problem: 'The redirect_uri is not one of this client.' };
  }
  const state = get('state');
  const refuse = (error: string, description: string): ReadAuthorization => ({
    kind: 'refused',
    redirectUri,
    state,
    error,
    description,
  });
  const twice = [...query.keys()].find(
    (name) => name !== 'resource' && query.getAll(name).length > 1,
  );
  if (twice !== undefined) return refuse('invalid_request', 'A parameter is given twice.');
  if (get('response_type') !== 'code') {
    return refuse('unsupported_response_type', 'The response_type is code.');
  }
  const words = get('scope')?.split(' ') ?? [];
  if (!words.includes('openid')) return refuse('invalid_scope', 'The scope has to hold openid.');
  const challenge = get('code_challenge');
  const problem = challengeProblem(challenge, get('code_challenge_method'), client);
  if (problem !== undefined) return refuse('invalid_request', problem);
  const maxAge = get('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    return refuse('invalid_request', 'max_age is not a number of seconds.');
  }
  const known: readonly string[] = [...SIGN_IN_SCOPES, OFFLINE_ACCESS];
  return {
    kind: 'asked',
    request: {
      clientId,
      redirectUri,
      state,
      nonce: get('nonce'),
      scopes: [...new Set(words)].filter((word) => known.includes(word)),
      challenge,
      maxAge: maxAge === undefined ? undefined : Number(maxAge) * SECOND,
      prompts: get('prompt')?.split(' ') ?? [],
      loginHint: get('login_hint'),
    },
  };
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
