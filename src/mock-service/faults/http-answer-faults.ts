import {
  atHandler,
  on,
  withHeader,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';
import { PATHS } from '../config/paths.ts';
import { sentMembers } from './sent-members.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const OAUTH = ['/oauth2/token', '/oauth2/revoke'];
const ENDPOINTS = [...OAUTH, '/agent/identity', '/agent/identity/claim', '/agent/event/notify'];

const atOther = (path: string, response: Response) =>
  ENDPOINTS.includes(path) && response.status === 405;

const atOauthError = (path: string, response: Response) =>
  OAUTH.includes(path) && response.status === 400;

const atRegistration = (path: string, response: Response) =>
  path.startsWith('/agent/identity') && response.status === 200;

const atResource = (path: string) => path.startsWith('/api/resource');

/** Requests → the assertion or claim token in them. */
const SENT = new WeakMap<Request, string>();

/** Faults: what it answers wrongly with methods, media types, bodies and headers. */
export const HTTP_ANSWER_FAULTS = {
  crashingUnexpectedMethod: {
    description: 'breaks on a method that it does not expect',
    answers: on(atOther, withStatus(500)),
    breaks: ['BRR-13', 'TOK-01'],
    fails: { methods: ['refused', 'status'] },
  },
  wrongMethodStatus: {
    description: 'answers 404 to a method that it does not expect (RFC 9110 §15.5.6)',
    answers: on(atOther, withStatus(404)),
    breaks: ['BRR-13'],
    fails: { methods: ['status'] },
  },
  missingAllow: {
    description: 'answers 405 without Allow (RFC 9110 §15.5.6)',
    answers: on(atOther, withoutHeaders('allow')),
    breaks: ['BRR-15'],
    fails: { methods: ['allow'] },
  },
  wrongMediaTypeStatus: {
    description: 'answers 400 to a wrong media type',
    answers: on((_path, response) => response.status === 415, withStatus(400)),
    breaks: ['W3-01'],
    fails: { 'media-types': ['json-alone'] },
  },
  wrongBodySizeStatus: {
    description: 'answers 400 to a body that is too large (RFC 9110 §15.5.14)',
    answers: on((_path, response) => response.status === 413, withStatus(400)),
    breaks: ['BRR-13'],
    fails: { oversized: ['bodies-status'] },
  },
  missingPragma: {
    description: 'sends tokens without Pragma (RFC 6749 §5.1)',
    answers: on((path) => path === '/oauth2/token', withoutHeaders('pragma')),
    breaks: ['TOK-04'],
    fails: { 'cache-headers': ['pragma'] },
  },
  wrongRegistrationCacheControl: {
    description: 'lets answers with assertions and claim tokens be cached',
    answers: on(atRegistration, withoutHeaders('cache-control', 'pragma')),
    breaks: ['TOK-04'],
    fails: { 'cache-headers': ['registrations'] },
  },
  wrongResourceCacheControl: {
    description: 'lets shared caches store answers to calls with a token (RFC 6750 §5.3)',
    answers: on(atResource, withHeader('cache-control', 'public, max-age=60')),
    breaks: ['BRR-12'],
    fails: { 'cache-headers': ['calls'] },
  },
  trustedOrigin: {
    description: 'lets every origin send cookies along and read the answer (attack A-44)',
    answers: on(
      () => true,
      (response, request) => {
        const origin = request.headers.get('origin');
        if (origin === null) return response;
        const headers = new Headers(response.headers);
        headers.set('access-control-allow-origin', origin);
        headers.set('access-control-allow-credentials', 'true');
        return new Response(response.body, { status: response.status, headers });
      },
    ),
    breaks: ['A-44'],
    fails: { cors: ['credentials'] },
  },
  exposedStack: {
    description: 'describes errors of registrations by their stack (RFC 9110 §17.12)',
    answers: on(
      (path, response) => path.startsWith('/agent/identity') && response.status === 400,
      withMembers({ error_description: new SyntaxError('Unexpected end of JSON input').stack }),
    ),
    breaks: ['BRR-18'],
    fails: { 'error-leaks': ['internals'] },
  },
  exposedAssertion: {
    description: 'repeats in errors of the token endpoint what was sent (attack A-18)',
    parts: (mock) =>
      atHandler(mock, { path: PATHS.token, method: 'POST' }, (_mock, right) => async (c) => {
        const { assertion, claim_token: secret = assertion } = await sentMembers(c);
        if (/^[\w.-]+$/.test(String(secret))) SENT.set(c.req.raw, String(secret));
        return right(c);
      }),
    answers: on(atOauthError, (response, request) => {
      const secret = SENT.get(request);
      if (secret === undefined) return response;
      return withMembers({ error_description: `Not valid: ${secret}` })(response, request);
    }),
    breaks: ['A-18-ERRORS'],
    fails: { 'error-leaks': ['secrets'] },
  },
  wrongTokenErrorBody: {
    description: 'writes errors of the token endpoint as text (RFC 6749 §5.2)',
    answers: on(
      atOauthError,
      (response) =>
        new Response('The request is wrong.', {
          status: response.status,
          headers: { 'content-type': 'text/plain' },
        }),
    ),
    breaks: ['TOK-06', 'W6-03'],
    fails: { 'error-texts': ['json'] },
  },
  wrongTokenErrorMediaType: {
    description: 'serves errors of the token endpoint as text/html (RFC 6749 §5.2)',
    answers: on(atOauthError, withHeader('content-type', 'text/html')),
    breaks: ['TOK-06'],
    fails: { 'error-texts': ['media-type'] },
  },
  wrongTokenErrorStatus: {
    description: 'answers 422 where RFC 6749 §5.2 has 400',
    answers: on(atOauthError, withStatus(422)),
    breaks: ['TOK-06', 'W6-03'],
    fails: { 'error-texts': ['status'] },
  },
  unescapedErrorDescription: {
    description: 'writes quotation marks into error_description, which allows none (RFC 6749 §5.2)',
    answers: on(atOauthError, withMembers({ error_description: 'The value "a" is unknown.' })),
    breaks: ['TOK-07'],
    fails: { 'error-texts': ['characters'] },
  },
  unescapedPathInHeader: {
    description: 'copies the path of a request into a header with its line breaks (attack A-28)',
    answers: on(
      (path) => path.toLowerCase().includes('%0d%0a'),
      (response, request) => {
        const [, ...lines] = decodeURIComponent(new URL(request.url).pathname).split('\r\n');
        for (const line of lines) {
          const [name, value] = line.split(': ');
          if (name && value) response.headers.set(name, value);
        }
        return response;
      },
    ),
    breaks: ['A-28.service'],
    fails: { 'header-injection': ['split'] },
  },
  unescapedPathInChallenge: {
    description:
      'copies the path of a request into its challenge with its quotation marks (RFC 9110 §5.6.4)',
    answers: on(
      (path, response) => atResource(path) && response.status === 401,
      (response) => {
        const field = response.headers.get('www-authenticate') ?? '';
        response.headers.set(
          'www-authenticate',
          field.replaceAll('%22', '"').replaceAll('%20', ' '),
        );
        return response;
      },
    ),
    breaks: ['A-28-CHALLENGE', 'BRR-09'],
    fails: { 'header-injection': ['challenge'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
