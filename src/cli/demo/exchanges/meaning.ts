import { type Surface, wireCode } from '../../../protocol/codes.ts';
import {
  CLAIM_GRANT_ENDINGS,
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../protocol/constants.ts';
import { displayText } from '../../../protocol/text.ts';
import type { Receiver } from './exchange.ts';
import type { RawExchange } from './record-fetch.ts';

interface Rule {
  readonly path: RegExp;
  /** Where its error codes are listed. */
  readonly surface?: Surface;
  readonly success: (exchange: RawExchange) => string;
  /** For a 3xx that is more than the way to the next page. */
  readonly redirect?: (exchange: RawExchange) => string;
}

const LOGIN: Rule = {
  path: /^\/login$/,
  success: () => 'asks who the user is',
  redirect: ({ method }) => (method === 'POST' ? 'signed in' : 'signed in already'),
};

const list = (value: unknown): string => (Array.isArray(value) ? value.join(' ') : String(value));

const SERVICE: readonly Rule[] = [
  {
    path: /^\/api\/resource/,
    surface: 'resource',
    success: ({ method }) => `the token is valid for this ${method}`,
  },
  {
    path: /oauth-protected-resource/,
    success: () => 'names the authorization server for it',
  },
  {
    path: /oauth-authorization-server/,
    success: ({ response }) => {
      const block = response['agent_auth'];
      const types =
        typeof block === 'object' && block !== null && 'identity_types_supported' in block
          ? list(block.identity_types_supported)
          : 'agents';
      return `accepts registrations: ${types}`;
    },
  },
  {
    path: /^\/agent\/identity$/,
    surface: 'identity',
    success: ({ response }) =>
      response['claim'] === undefined
        ? 'registered; the assertion can be exchanged for a token'
        : 'registered; no access before its user confirms',
  },
  {
    path: /^\/agent\/identity\/claim$/,
    surface: 'claim',
    success: () => 'a claim attempt is open: a code and a page for the user',
  },
  {
    path: /^\/agent\/identity\/claim\/complete$/,
    surface: 'complete',
    success: () => 'the user approved: the registration is theirs',
  },
  {
    path: /^\/oauth2\/token$/,
    surface: 'token',
    success: ({ request, response }) =>
      isClaimGrant(request['grant_type'])
        ? `claimed: a token for ${list(response['scope'])}, and the second assertion`
        : `exchanged: a token for ${list(response['scope'])}`,
  },
  {
    path: /^\/oauth2\/revoke$/,
    surface: 'revocation',
    success: () => 'the token is revoked (RFC 7009)',
  },
  LOGIN,
  {
    path: /^\/c\//,
    success: () => '',
    redirect: () => 'the short link redirects to sign-in or to the claim page',
  },
  {
    path: /^\/claim$/,
    success: () => 'shows who asks and for which scopes, with a field for the code',
  },
  {
    path: /^\/connections$/,
    success: () => 'lists the agents of this user',
    redirect: () => 'the registration is revoked',
  },
];

const PROVIDER: readonly Rule[] = [
  {
    path: /oauth-authorization-server/,
    success: () => 'names the endpoints for sign-in and minting',
  },
  { path: /jwks\.json$/, success: () => 'the keys that ID-JAGs are verified with' },
  {
    path: /^\/oauth2\/device_authorization$/,
    surface: 'provider',
    success: () => 'sign-in by device code: a code and a page for the user',
  },
  {
    path: /^\/oauth2\/token$/,
    surface: 'provider',
    success: ({ request }) =>
      request['grant_type'] === TOKEN_EXCHANGE_GRANT
        ? 'minted: an ID-JAG for this audience only'
        : 'signed in: an ID token to mint with',
  },
  LOGIN,
  {
    path: /^\/consent$/,
    success: ({ method }) =>
      method === 'GET'
        ? 'asks whether the service may learn who the user is'
        : 'the user consented',
    redirect: () => 'redirects to sign-in',
  },
  {
    path: /^\/device$/,
    success: ({ method, request }) => {
      if (method === 'GET') return 'asks for the code';
      return request['decision'] === undefined
        ? 'the code is right; asks whether this is the user’s agent'
        : 'approved: the agent may sign in as this user';
    },
    redirect: () => 'redirects to sign-in',
  },
];

/** What an exchange means, as the end of a sentence that began with its line. */
export function meaningOf(receiver: Receiver, exchange: RawExchange): string {
  const { status, response, url, request } = exchange;
  const rules = receiver === 'service' ? SERVICE : PROVIDER;
  const rule = rules.find(({ path }) => path.test(url.pathname));
  if (status === 401 && rule?.surface === 'resource' && request['authorization'] === undefined) {
    return 'no token: the challenge points to the metadata';
  }
  const error = typeof response['error'] === 'string' ? response['error'] : undefined;
  if (error !== undefined) {
    const known = rule?.surface && wireCode(rule.surface, error);
    return `${displayText(error, 60)}: ${lowerFirst(known?.description ?? 'refused')}`;
  }
  if (status >= 300 && status < 400) return rule?.redirect?.(exchange) ?? 'redirects';
  if (status >= 400) return refusedPage(status);
  return rule?.success(exchange) ?? '';
}

function isClaimGrant(grant: unknown): boolean {
  if (grant === JWT_BEARER_GRANT || grant === DEVICE_CODE_GRANT) return false;
  return CLAIM_GRANT_ENDINGS.some((ending) => String(grant).endsWith(ending));
}

function refusedPage(status: number): string {
  if (status === 400) return 'the code is wrong; the page says how many tries are left';
  return `the page answers with an error (${status})`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
