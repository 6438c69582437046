import { displayText, isJsonObject, type Surface, wireCode } from '../../protocol/index.ts';
import { type Exchange, REDEMPTION_REFUSED, type Receiver } from '../exchange.ts';
import { noteText } from './note-text.ts';
import type { Step } from './step.ts';

interface Rule {
  /** Where its error codes are listed. */
  readonly surface?: Surface;
  readonly success: (exchange: Exchange) => string;
  /** What a 3xx means that is more than the way to the next page. */
  readonly redirect?: (exchange: Exchange) => string;
}

const member = (body: unknown, name: string): unknown =>
  isJsonObject(body) ? body[name] : undefined;

/** Names from elsewhere, safe to show. */
const list = (value: unknown): string =>
  displayText(Array.isArray(value) ? value.map(String).join(' ') : String(value ?? ''), 200);

const scopeOf = ({ response }: Exchange): string => {
  const scope = list(member(response.body, 'scope'));
  return scope === '' ? 'a token' : `a token for ${scope}`;
};

const RULES: Readonly<Record<Step, Rule>> = {
  call: {
    surface: 'resource',
    success: ({ method, request }) =>
      'authorization' in request.headers ? `the token is valid for this ${method}` : '',
  },
  resource_metadata: { success: () => 'names the authorization server for it' },
  server_metadata: {
    success: ({ response, to }) => {
      if (to === 'provider') return 'names the endpoints for sign-in and minting';
      const types = member(member(response.body, 'agent_auth'), 'identity_types_supported');
      return types === undefined ? 'names the endpoints' : `accepts registrations: ${list(types)}`;
    },
  },
  skill: { success: () => 'tells agents in words how to register' },
  register: {
    surface: 'identity',
    success: ({ response }) =>
      member(response.body, 'claim') === undefined
        ? 'registered; the assertion can be exchanged for a token'
        : 'registered; no access before its user confirms',
  },
  open_claim: {
    surface: 'claim',
    success: () => 'a claim attempt is open: a code and a page for the user',
  },
  claim_page: {
    success: ({ method }) =>
      method === 'POST'
        ? 'decided'
        : 'shows who asks and for which scopes, with a field for the code',
    redirect: ({ path }) =>
      path.startsWith('/c/')
        ? 'the short link redirects to sign-in or to the claim page'
        : 'redirects to sign-in or to the claim page',
  },
  complete_claim: {
    surface: 'complete',
    success: ({ request }) =>
      member(request.body, 'decision') === 'deny'
        ? 'the user denied: the attempt is over'
        : 'the user approved: the registration is theirs',
  },
  exchange: { surface: 'token', success: (exchange) => `exchanged: ${scopeOf(exchange)}` },
  poll: {
    surface: 'token',
    success: (exchange) => `claimed: ${scopeOf(exchange)}, and the second assertion`,
  },
  redeem: { surface: 'token', success: (exchange) => `ID-JAG redeemed: ${scopeOf(exchange)}` },
  introspect: {
    surface: 'token',
    success: ({ response }) =>
      member(response.body, 'active') === true ? 'the token is active' : 'the token is not active',
  },
  mcp: {
    surface: 'resource',
    success: ({ request }) => {
      const tool = member(member(request.body, 'params'), 'name');
      const method = list(member(request.body, 'method'));
      return `the token is valid for ${method}${tool === undefined ? '' : ` of ${list(tool)}`}`;
    },
  },
  refresh: { surface: 'token', success: (exchange) => `refreshed: ${scopeOf(exchange)}` },
  token: { surface: 'token', success: scopeOf },
  revoke: { surface: 'revocation', success: () => 'the token is revoked (RFC 7009)' },
  event: { surface: 'events', success: () => 'the service takes the event of the provider' },
  keys: {
    success: ({ to }) =>
      to === 'provider' ? 'the keys that ID-JAGs are verified with' : 'the keys of the service',
  },
  sign_in: {
    success: () => 'asks who the user is',
    redirect: ({ method }) => (method === 'POST' ? 'signed in' : 'signed in already'),
  },
  connections: {
    success: () => 'lists the agents of this user',
    redirect: ({ method }) => (method === 'POST' ? 'the registration is revoked' : 'redirects'),
  },
  mails: { success: () => 'shows the mails that were sent' },
  directory: { success: () => 'lists services that agents can register at' },
  authorize: {
    surface: 'provider',
    success: () => 'asks who the user is',
    redirect: ({ response }) => {
      const location = response.headers['location'] ?? '';
      const [, error] = /[?&]error=(\w{1,60})/.exec(location) ?? [];
      if (error !== undefined) return `back to the client: ${error}`;
      return /[?&]code=/.test(location)
        ? 'signed in: back to the client with a code'
        : 'redirects to sign-in';
    },
  },
  redeem_code: { surface: 'provider', success: () => 'signed in: an ID token to exchange' },
  device_authorization: {
    surface: 'provider',
    success: () => 'sign-in by device code: a code and a page for the user',
  },
  device_page: {
    success: ({ method, request }) => {
      if (method === 'GET') return 'asks for the code';
      const decision = member(request.body, 'decision');
      if (decision === undefined) return 'the code is right; asks whether this is the user’s agent';
      return decision === 'deny'
        ? 'denied: the agent does not sign in'
        : 'approved: the agent may sign in as this user';
    },
    redirect: () => 'redirects to sign-in',
  },
  device_poll: { surface: 'provider', success: () => 'signed in: an ID token to mint with' },
  mint: { surface: 'provider', success: () => 'minted: an ID-JAG for this audience only' },
  user_info: { surface: 'provider', success: () => 'says who the user is' },
  consent: {
    success: ({ method, request }) => {
      if (method === 'GET') return 'asks whether the service may learn who the user is';
      const decision = member(request.body, 'decision');
      if (decision === 'approve') return 'the user consented';
      return decision === 'deny' ? 'the user did not consent' : 'the user decided on the consent';
    },
    redirect: ({ method }) =>
      method === 'POST' ? 'the consent is changed' : 'redirects to sign-in',
  },
  client_document: { success: () => 'says who the agent of an ID-JAG is' },
  page: { success: () => '' },
  other: { success: () => '' },
};

/** What an exchange means, as the end of a sentence that began with its line. */
export function meaningOf(step: Step, exchange: Exchange): string {
  const { request, response, status, to } = exchange;
  if (status === null) return 'the connection ended without an answer';
  const { surface, success, redirect } = RULES[step];
  const hasToken = 'authorization' in request.headers || /[?&]access_token=/.test(exchange.url);
  if ((step === 'call' || step === 'mcp') && status === 401 && !hasToken) {
    return 'no token: the challenge points to the metadata';
  }
  const error = member(response.body, 'error');
  if (typeof error === 'string') {
    const code = displayText(error, 60);
    const detail = member(response.body, 'detail');
    // What a proxy says by itself: the server behind it refused nothing.
    if (isOfProxy(exchange) && typeof detail === 'string') {
      return `${code}: ${displayText(detail, 300)}`;
    }
    const refusal = exchange.notes?.find(({ event }) => event === REDEMPTION_REFUSED);
    if (refusal !== undefined) return `${code}: ${noteText(refusal)}`;
    // The list of codes speaks of registrations, which have no client.
    const description = step === 'redeem' && member(response.body, 'error_description');
    if (error === 'invalid_client' && typeof description === 'string') {
      return `${code}: ${lowerFirst(displayText(description, 200))}`;
    }
    const known = surface && wireCode(surfaceAt(to, surface), error);
    return `${code}: ${lowerFirst(known?.description ?? (status >= 500 ? 'failed' : 'refused'))}`;
  }
  if (status >= 300 && status < 400) return redirect?.(exchange) ?? 'redirects';
  if (status >= 400) return refused(step, status);
  return success(exchange);
}

/** An answer of a proxy's own (RFC 9209 §2.1.1). */
function isOfProxy({ response }: Exchange): boolean {
  return /;\s*error=/.test(response.headers['proxy-status'] ?? '');
}

/** A provider has one list of codes for all that it answers. */
function surfaceAt(to: Receiver, surface: Surface): Surface {
  return to === 'provider' ? 'provider' : surface;
}

function refused(step: Step, status: number): string {
  if (step === 'complete_claim' && status === 400) {
    return 'the code is wrong; the page says how many tries are left';
  }
  return status >= 500 ? `failed (${status})` : `refused (${status})`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
