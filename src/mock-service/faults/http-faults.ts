import {
  type AnswerFault,
  READING_FAULTS,
  withHeader,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly with methods, media types, bodies and headers. */
export const HTTP_FAULTS = {
  ...READING_FAULTS,
  unknownMembersRefused: 'refuses a registration with a member that it does not know',
  longScopesSlow: 'reads a scope by a pattern that tries every beginning (attack A-38)',
  longScopesBreak: 'breaks on a scope that is very long (attack A-38)',
} as const satisfies Readonly<Record<string, string>>;

const OAUTH = ['/oauth2/token', '/oauth2/revoke'];
const ENDPOINTS = [...OAUTH, '/agent/identity', '/agent/identity/claim', '/agent/event/notify'];

const atOther = (path: string, response: Response) =>
  ENDPOINTS.includes(path) && response.status === 405;

const atOauthError = (path: string, response: Response) =>
  OAUTH.includes(path) && response.status === 400;

const atRegistration = (path: string, response: Response) =>
  path.startsWith('/agent/identity') && response.status === 200;

const atResource = (path: string) => path.startsWith('/api/resource');

/** What it can be told to answer wrongly with methods, media types, bodies and headers. */
export const HTTP_ANSWER_FAULTS = {
  otherMethodsBreak: {
    says: 'breaks on a method that it does not expect',
    at: atOther,
    spoil: withStatus(500),
  },
  otherMethodsUnknown: {
    says: 'answers 404 to a method that it does not expect (RFC 9110 §15.5.6)',
    at: atOther,
    spoil: withStatus(404),
  },
  noAllow: {
    says: 'answers 405 without Allow (RFC 9110 §15.5.6)',
    at: atOther,
    spoil: withoutHeaders('allow'),
  },
  mediaTypeAsBadRequest: {
    says: 'answers 400 to a wrong media type',
    at: (_path, response) => response.status === 415,
    spoil: withStatus(400),
  },
  jsonErrorsRenamed: {
    says: 'has a code of its own for bodies that it cannot read',
    at: (path, response) => path.startsWith('/agent/identity') && response.status === 400,
    spoil: withMembers({ error: 'malformed_body' }),
  },
  largeAsBadRequest: {
    says: 'answers 400 to a body that is too large (RFC 9110 §15.5.14)',
    at: (_path, response) => response.status === 413,
    spoil: withStatus(400),
  },
  pragmaMissing: {
    says: 'sends tokens without Pragma (RFC 6749 §5.1)',
    at: (path) => path === '/oauth2/token',
    spoil: withoutHeaders('pragma'),
  },
  registrationsCacheable: {
    says: 'lets answers with assertions and claim tokens be stored',
    at: atRegistration,
    spoil: withoutHeaders('cache-control', 'pragma'),
  },
  errorsCacheable: {
    says: 'lets errors of the token endpoint be stored',
    at: atOauthError,
    spoil: withoutHeaders('cache-control', 'pragma'),
  },
  callsCacheable: {
    says: 'lets shared caches keep answers to calls with a token (RFC 6750 §5.3)',
    at: atResource,
    spoil: withHeader('cache-control', 'public, max-age=60'),
  },
  originReflected: {
    says: 'allows every origin to send cookies along (attack A-44)',
    at: () => true,
    spoil: (response, request) => {
      const origin = request.headers.get('origin');
      if (origin === null) return response;
      const headers = new Headers(response.headers);
      headers.set('access-control-allow-origin', origin);
      headers.set('access-control-allow-credentials', 'true');
      return new Response(response.body, { status: response.status, headers });
    },
  },
  errorsAsText: {
    says: 'sends errors of the token endpoint as text (RFC 6749 §5.2)',
    at: atOauthError,
    spoil: (response) =>
      new Response('The request is wrong.', {
        status: response.status,
        headers: { 'content-type': 'text/plain' },
      }),
  },
  errorsWithoutJsonType: {
    says: 'sends errors of the token endpoint as text/html (RFC 6749 §5.2)',
    at: atOauthError,
    spoil: withHeader('content-type', 'text/html'),
  },
  errorsUnprocessable: {
    says: 'answers 422 where RFC 6749 §5.2 has 400',
    at: atOauthError,
    spoil: withStatus(422),
  },
  errorsQuote: {
    says: 'quotes what it was sent in error_description (RFC 6749 §5.2)',
    at: atOauthError,
    spoil: withMembers({ error_description: 'The value "a" is unknown.' }),
  },
  addressSplitsHeaders: {
    says: 'copies the address of a request into a header as it is (attack A-28)',
    at: (path) => path.toLowerCase().includes('%0d%0a'),
    spoil: (response, request) => {
      const [, ...lines] = decodeURIComponent(new URL(request.url).pathname).split('\r\n');
      for (const line of lines) {
        const [name, value] = line.split(': ');
        if (name && value) response.headers.set(name, value);
      }
      return response;
    },
  },
  addressUnquoted: {
    says: 'copies the address of a request into its challenge as it is (RFC 9110 §5.6.4)',
    at: (path, response) => atResource(path) && response.status === 401,
    spoil: (response) => {
      const field = response.headers.get('www-authenticate') ?? '';
      response.headers.set('www-authenticate', field.replaceAll('%22', '"').replaceAll('%20', ' '));
      return response;
    },
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
