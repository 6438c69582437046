import type { Exchange, Explained } from '../../../traffic/index.ts';
import { readChallenges } from '../../http/challenge.ts';
import type { PassiveRule, Seen } from '../passive-rule.ts';
import * as read from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';
import { Repeats } from './id-jags.ts';

const AT_TOKEN_ENDPOINT: ReadonlySet<string> = new Set([
  'token',
  'exchange',
  'poll',
  'redeem',
  'redeem_code',
  'refresh',
  'mint',
  'device_poll',
]);
const SECRETS = ['access_token', 'identity_assertion', 'id_token', 'refresh_token', 'claim_token'];

export const tokenAnswers: PassiveRule = {
  id: 'token-answers',
  requirements: [
    { id: 'TOK-04', level: 'must', by: 'service' },
    { id: 'TOK-04.provider', level: 'must', by: 'provider' },
    { id: 'TOK-03', level: 'must', by: 'service' },
  ],
  finds: 'answers a token without `Cache-Control: no-store`, or with another media type than JSON',
  spares: 'answers that do not come from where tokens and registrations do',
  sees: ({ exchange, step }) => {
    const { response, to } = exchange;
    const isTokenAnswer = AT_TOKEN_ENDPOINT.has(step);
    if (!read.isSuccess(exchange) || !(isTokenAnswer || step === 'register')) return [];
    const body = read.membersOf(response.body);
    if (!SECRETS.some((name) => read.fingerprintOf(body[name]) !== undefined)) return [];
    const directives = (response.headers['cache-control'] ?? '').toLowerCase().split(/[\s,]+/);
    const uncached = {
      requirement: to === 'provider' ? 'TOK-04.provider' : 'TOK-04',
      message: 'A token was answered without `Cache-Control: no-store`: a cache may keep it.',
    };
    const typed = {
      requirement: 'TOK-03',
      message: 'A token was answered with another media type than application/json.',
    };
    const isTyped = read.mediaTypeOf(response.headers) === 'application/json';
    return [
      ...(directives.includes('no-store') ? [] : [uncached]),
      ...(isTokenAnswer && to === 'service' && !isTyped ? [typed] : []),
    ];
  },
};

const FORM = 'application/x-www-form-urlencoded';
/** The parameters that may stand several times (RFC 8707 §2, RFC 8693 §2.1). */
const REPEATABLE: ReadonlySet<string> = new Set(['resource', 'audience']);

export const tokenRequest: PassiveRule = {
  id: 'token-request',
  requirements: [
    { id: 'AR-EP-7.agent', level: 'must', by: 'agent' },
    { id: 'TOK-22', level: 'must', by: 'agent' },
    { id: 'RES-01.agent', level: 'must', by: 'agent' },
  ],
  finds:
    'asks for a token in another form than the standards have it: no form-encoded POST, a parameter twice, a `resource` that is no absolute URI',
  spares: 'what a service takes in another encoding',
  sees: ({ exchange, step }) => {
    const { request } = exchange;
    if (!AT_TOKEN_ENDPOINT.has(step)) return [];
    const status = read.statusOf(exchange);
    const isForm = exchange.method === 'POST' && read.mediaTypeOf(request.headers) === FORM;
    if (!isForm) {
      const isRefused = status !== undefined && status >= 400 && status < 500;
      const isAsked = exchange.method === 'POST' || exchange.method === 'GET';
      if (!isRefused || !isAsked) return [];
      const message = `The request for a token was no POST with ${FORM}, and was refused.`;
      return [{ requirement: 'AR-EP-7.agent', message }];
    }
    const found: Seen[] = [];
    const body = read.membersOf(request.body);
    const twice = Object.keys(body).find(
      (name) => Array.isArray(body[name]) && !REPEATABLE.has(name),
    );
    if (request.bodyState === 'whole' && twice !== undefined) {
      const message = 'A parameter of the request for a token stands in it more than once.';
      found.push({ requirement: 'TOK-22', message });
    }
    const { resource } = body;
    const resources = [resource].flat().filter((each) => typeof each === 'string' && each !== '');
    if (resources.some((each) => !URL.canParse(String(each)) || String(each).includes('#'))) {
      const message = 'The parameter `resource` is to be an absolute URI without a fragment.';
      found.push({ requirement: 'RES-01.agent', message });
    }
    return found;
  },
};

export const revokedTokens: PassiveRule = {
  id: 'revoked-tokens',
  requirements: [{ id: 'BRR-14', level: 'should', by: 'service' }],
  finds: 'takes a token that was revoked',
  spares:
    'calls that were under way with the revocation, what was never seen to be protected, and tokens of another server',
  watch: () => {
    /** When their revocation was answered. */
    const revoked = new RecentMap<string, number>();
    /** Paths that were refused without a token. */
    const guarded = new RecentMap<string, true>();
    return ({ exchange, step }, { secrets }) => {
      const { at, method, request, url } = exchange;
      const token = read.bearerOf(exchange);
      const place = `${method} ${url}`;
      if (step === 'revoke') {
        const given = read.fingerprintOf(read.membersOf(request.body)['token']);
        const isOwn = given !== undefined && secrets.issuerOf(given) === read.originOf(url);
        if (isOwn && read.isSuccess(exchange)) revoked.set(given, read.answeredAt(exchange));
        return [];
      }
      if (step !== 'call') return [];
      if (read.statusOf(exchange) === 401) guarded.set(place, true);
      const since = token === undefined ? undefined : revoked.get(token);
      if (since === undefined || at <= since || !read.isSuccess(exchange)) return [];
      if (!guarded.has(place)) return [];
      const message = 'A call was answered with a token whose revocation the server had confirmed.';
      return [{ requirement: 'BRR-14', message }];
    };
  },
};

/** What is no access token, sent as one. A service that takes it all the same has its own rules. */
export const wrongBearer: PassiveRule = {
  id: 'wrong-bearer',
  requirements: [
    { id: 'AR-DOES-2.agent', level: 'must', by: 'agent' },
    { id: 'IDJ-13', level: 'must', by: 'agent' },
    { id: 'A-18.agent', level: 'must', by: 'agent' },
  ],
  finds:
    'calls with what is no access token: an identity_assertion that it did not exchange, an ID-JAG or a claim token',
  spares: 'what the service takes all the same, and what it gave out as access token, too',
  sees: ({ exchange, from, step }, { secrets }) => {
    const token = read.bearerOf(exchange);
    if (from !== 'agent' || step !== 'call' || token === undefined) return [];
    if (secrets.isOnly(token, 'id_jag')) {
      const message =
        'An ID-JAG was sent as bearer token; its token_type is N_A. Register with it.';
      return [{ requirement: 'IDJ-13', message }];
    }
    if (read.statusOf(exchange) !== 401) return [];
    if (secrets.isOnly(token, 'identity_assertion')) {
      const message =
        'An identity_assertion was sent as bearer token. Exchange it at the token endpoint for an access token first.';
      return [{ requirement: 'AR-DOES-2.agent', message }];
    }
    if (!secrets.isOnly(token, 'claim_token')) return [];
    const message = 'A claim token was sent as bearer token; it belongs in bodies alone.';
    return [{ requirement: 'A-18.agent', message }];
  },
};

/** A user who tries again and again does not reach this; a loop does at once. */
const LIMITS = { most: 10, within: 60_000 };

export const refusedAgain: PassiveRule = {
  id: 'refused-again',
  requirements: [
    { id: 'BRR-11', level: 'should', by: 'agent' },
    { id: 'AMD-09', level: 'should', by: 'agent' },
  ],
  finds: 'sends a token, or an assertion, on and on that was refused as invalid',
  spares:
    'what was refused less than ten times in a minute, anything that was tried in between, and requests that were under way together',
  watch: () => {
    let last = '';
    let repeats = new Repeats(LIMITS);
    return (explained) => {
      const { exchange, from } = explained;
      if (from !== 'agent') return [];
      const tried = triedIn(explained);
      if (tried?.secret !== last) repeats = new Repeats(LIMITS);
      last = tried?.secret ?? '';
      if (tried === undefined || !repeats.refused(tried.secret, exchange)) return [];
      if (tried.as === 'token') {
        const message =
          'An access token is sent on and on that is answered 401. Exchange the assertion once; if that does not help, stop.';
        return [{ requirement: 'BRR-11', message }];
      }
      const message =
        'An assertion is sent on and on that is refused with invalid_grant. It stays invalid: stop.';
      return [{ requirement: 'AMD-09', message }];
    };
  },
};

/** The token or the assertion that was refused as invalid. */
function triedIn({
  exchange,
  step,
}: Explained): { readonly as: 'token' | 'assertion'; readonly secret: string } | undefined {
  if (step === 'call') {
    const secret = read.statusOf(exchange) === 401 ? read.bearerOf(exchange) : undefined;
    return secret === undefined ? undefined : { as: 'token', secret };
  }
  if ((step !== 'exchange' && step !== 'redeem') || read.errorOf(exchange) !== 'invalid_grant')
    return undefined;
  const secret = read.fingerprintOf(read.membersOf(exchange.request.body)['assertion']);
  return secret === undefined ? undefined : { as: 'assertion', secret };
}

export const challenges: PassiveRule = {
  id: 'challenges',
  requirements: [
    { id: 'BRR-05', level: 'must', by: 'service' },
    { id: 'AR-EP-3', level: 'must', by: 'service' },
  ],
  finds:
    'answers a call with 401 and no challenge, or with a Bearer challenge that does not say where the metadata is',
  spares: 'challenges of other schemes alone: what they protect is another matter',
  sees: ({ exchange, step }) => {
    const { headers } = exchange.response;
    const status = read.statusOf(exchange);
    if (step !== 'call' || exchange.to !== 'service' || status !== 401) return [];
    const field = headers['www-authenticate'];
    if (field === undefined) {
      const message =
        'A call was answered with 401 and no `WWW-Authenticate`: no agent learns how to get in.';
      return [{ requirement: 'BRR-05', message }];
    }
    const bearer = readChallenges(field)?.filter(({ scheme }) => scheme === 'bearer');
    if (bearer === undefined || bearer.length === 0 || !isDiscovery(exchange)) return [];
    const hasHint = bearer.some(({ parameters }) =>
      parameters.some(([name]) => name === 'resource_metadata'),
    );
    if (hasHint) return [];
    const message =
      'The Bearer challenge names no `resource_metadata`: agents cannot discover the service by it.';
    return [{ requirement: 'AR-EP-3', message }];
  },
};

/** A GET without credentials: what the specification answers with the challenge. */
function isDiscovery({ method, request }: Exchange): boolean {
  return (
    method === 'GET' && !('authorization' in request.headers) && !('cookie' in request.headers)
  );
}
