import { withoutService } from '../../mock/faults/endpoint.ts';
import type { BodyReader } from '../../mock/http/request.ts';
import { on, withoutHeaders } from '../../mock/http/tamper.ts';
import { forBrowsers } from '../../mock/pages/page-envelope.ts';
import type { JsonResult } from '../../protocol/json.ts';
import type { Rewired, ServiceFault } from './service-fault.ts';

export function breakingOn(problem: 'not_json' | 'too_deep', error: () => Error): Rewired {
  return judging((result) => {
    if (!result.ok && result.problem === problem) throw error();
    return result;
  });
}

/** What became of a body that is JSON is judged another way. */
export function judging(change: (result: JsonResult, text: string) => JsonResult): Rewired {
  return reading(({ json }) => ({ json: (text) => change(json(text), text) }));
}

/** A reader with some of its steps done another way. */
export function reading(change: (right: BodyReader) => Partial<BodyReader>): Rewired {
  return ({ reader }) => ({ reader: { ...reader, ...change(reader) } });
}

const atRegistration = (path: string, response: Response) =>
  path.startsWith('/agent/identity') && response.status === 200;

export const atOauthError = (path: string, response: Response) =>
  OAUTH.includes(path) && response.status === 400;

export const OAUTH = ['/oauth2/token', '/oauth2/revoke'];

/** Faults: what it does wrong with any request. */
export const TRANSPORT_FAULTS = {
  unavailable: {
    description: 'answers 503 to everything but its controls',
    parts: (mock) =>
      withoutService(mock, forBrowsers(mock.views.site, mock.dialect.problems.registration)),
  },
  crashingMalformedBody: {
    description: 'breaks on a body that is not JSON',
    parts: breakingOn('not_json', () => new SyntaxError('Not JSON.')),
  },
  uncheckedBodySize: {
    description: 'reads a body of any size (attack A-36)',
    parts: reading(() => ({ maxBytes: Number.POSITIVE_INFINITY })),
  },
  wrongRegistrationCacheControl: {
    description: 'lets answers with assertions and claim tokens be cached',
    answers: on(atRegistration, withoutHeaders('cache-control', 'pragma')),
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
  },
} satisfies Readonly<Record<string, ServiceFault>>;
