import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { atOauthError, OAUTH } from '../../../../src/mock-service/faults/transport-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { sentMembers } from './sent-members.ts';

const { atHandler, on, withHeader, withMembers, withStatus, withoutHeaders } = rewire;

const ENDPOINTS = [...OAUTH, '/agent/identity', '/agent/identity/claim', '/agent/event/notify'];

const atOther = (path: string, response: Response) =>
  ENDPOINTS.includes(path) && response.status === 405;

const atResource = (path: string) => path.startsWith('/api/resource');

/** Requests → the assertion or claim token in them. */
const SENT = new WeakMap<Request, string>();

/** Faults: what it answers wrongly with methods, media types, bodies and headers. */
export const HTTP_ANSWER_FAULTS = {
  crashingUnexpectedMethod: {
    description: 'breaks on a method that it does not expect',
    answers: on(atOther, withStatus(500)),
    fails: { methods: ['refused', 'status'] },
  },
  wrongMethodStatus: {
    description: 'answers 404 to a method that it does not expect (RFC 9110 §15.5.6)',
    answers: on(atOther, withStatus(404)),
    fails: { methods: ['status'] },
  },
  missingAllow: {
    description: 'answers 405 without Allow (RFC 9110 §15.5.6)',
    answers: on(atOther, withoutHeaders('allow')),
    fails: { methods: ['allow'] },
  },
  wrongMediaTypeStatus: {
    description: 'answers 400 to a wrong media type',
    answers: on((_path, response) => response.status === 415, withStatus(400)),
    fails: { 'media-types': ['json-alone'] },
  },
  wrongBodySizeStatus: {
    description: 'answers 400 to a body that is too large (RFC 9110 §15.5.14)',
    answers: on((_path, response) => response.status === 413, withStatus(400)),
    fails: { oversized: ['bodies-status'] },
  },
  missingPragma: {
    description: 'sends tokens without Pragma (RFC 6749 §5.1)',
    answers: on((path) => path === '/oauth2/token', withoutHeaders('pragma')),
    fails: { 'cache-headers': ['pragma'] },
  },
  wrongResourceCacheControl: {
    description: 'lets shared caches store answers to calls with a token (RFC 6750 §5.3)',
    answers: on(atResource, withHeader('cache-control', 'public, max-age=60')),
    fails: { 'cache-headers': ['calls'] },
  },
  exposedStack: {
    description: 'describes errors of registrations by their stack (RFC 9110 §17.12)',
    answers: on(
      (path, response) => path.startsWith('/agent/identity') && response.status === 400,
      withMembers({ error_description: new SyntaxError('Unexpected end of JSON input').stack }),
    ),
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
    fails: { 'error-leaks': ['secrets'] },
  },
  wrongErrorLanguage: {
    description: 'translates its error codes where Accept-Language asks for that (RFC 6749 §5.2)',
    answers: on(
      (_path, { status }, { headers }) =>
        status === 400 && headers.get('accept-language')?.startsWith('de') === true,
      withMembers({ error: 'ungueltige_anfrage' }),
    ),
    fails: { 'error-texts': ['language'] },
  },
  wrongErrorOfBrowsers: {
    description: 'answers an error as a page where Accept asks for one (RFC 6749 §5.2)',
    answers: on(
      (path, response, { headers }) =>
        atOauthError(path, response) && headers.get('accept')?.includes('text/html') === true,
      () => new Response('<h1>Bad Request</h1>', { status: 400 }),
    ),
    fails: { 'error-texts': ['json'] },
  },
  wrongTokenErrorMediaType: {
    description: 'serves errors of the token endpoint as text/html (RFC 6749 §5.2)',
    answers: on(atOauthError, withHeader('content-type', 'text/html')),
    fails: { 'error-texts': ['media-type'] },
  },
  wrongTokenErrorStatus: {
    description: 'answers 422 where RFC 6749 §5.2 has 400',
    answers: on(atOauthError, withStatus(422)),
    fails: { 'error-texts': ['status'] },
  },
  unescapedErrorDescription: {
    description: 'writes quotation marks into error_description, which allows none (RFC 6749 §5.2)',
    answers: on(atOauthError, withMembers({ error_description: 'The value "a" is unknown.' })),
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
    fails: { 'header-injection': ['challenge'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
