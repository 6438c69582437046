import { json } from '../../../../src/mock/http/response.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { atHandler, on } = rewire;

/** What a permitted call is answered, to whom nobody permitted it. */
const open = () => json({ message: 'Here is the resource.', user: null });

/** A call of the resource without a token, which is refused. */
const isRefused = ({ status }: Response, { headers }: Request) =>
  status >= 400 && !/^Bearer /i.test(headers.get('authorization') ?? '');

const atResource = (path: string) => path === '/api/resource';

/** By the service that kept it: the first answer that it gave to any caller. */
const KEPT = new Map<string, string>();

/** Faults of the guard of a resource: what passes it without a token of its own. */
export const GUARD_FAULTS = {
  uncheckedTokenAtSpellings: {
    description: 'guards the exact path of its resource, and routes other spellings to it too',
    answers: on(
      (path, response, request) =>
        isRefused(response, request) &&
        !atResource(path) &&
        atResource(path.toLowerCase().replace(/\/$/, '')),
      open,
    ),
    fails: { guard: ['paths'] },
  },
  uncheckedTokenByQuery: {
    description: 'takes a URL for public that has /.well-known/ anywhere, in its query too',
    answers: on(
      (path, response, request) =>
        atResource(path) && isRefused(response, request) && request.url.includes('/.well-known/'),
      open,
    ),
    fails: { guard: ['paths'] },
  },
  uncheckedTokenAtHead: {
    description: 'guards GET alone, and answers HEAD without a token (RFC 9110 §9.3.2)',
    answers: on(
      (path, response, request) =>
        atResource(path) && isRefused(response, request) && request.method === 'HEAD',
      () => new Response(null, { headers: { 'content-type': 'application/json' } }),
    ),
    fails: { guard: ['head'] },
  },
  trustedLocalCaller: {
    description: 'takes a caller for the machine itself that says so in X-Forwarded-For',
    answers: on(
      (path, response, request) =>
        atResource(path) &&
        isRefused(response, request) &&
        request.headers.get('x-forwarded-for') === '127.0.0.1',
      open,
    ),
    fails: { guard: ['headers'] },
  },
  uncheckedTokenOfBrowsers: {
    description: 'guards calls that ask for JSON alone',
    answers: on(
      (path, response, request) =>
        atResource(path) &&
        isRefused(response, request) &&
        request.headers.get('accept')?.includes('text/html') === true,
      open,
    ),
    fails: { guard: ['headers'] },
  },
  acceptedSession: {
    description: 'takes the session cookie of its pages in place of a token (RFC 6750 §2)',
    parts: (service) =>
      atHandler(
        service,
        { path: '/api/resource/*', method: 'GET' },
        (mock, right) => async (c) =>
          (await mock.sessions.find(c))?.visitor === undefined ? right(c) : open(),
      ),
    fails: { 'session-ids': ['for-pages'] },
  },
  sharedAnswers: {
    description: 'keeps the answer to one caller and gives it to the others (RFC 9111 §3.5)',
    answers: on(
      (path, { status }) => atResource(path) && status === 200,
      async (response, { url }) => {
        const kept = KEPT.get(url) ?? (await response.text());
        KEPT.set(url, kept);
        return new Response(kept, response);
      },
    ),
    fails: { 'later-assertions': ['own-answers'] },
  },
  wrongWriteOrder: {
    description: 'answers 400 for the body of a write before it looks at the token (RFC 6750 §3.1)',
    parts: (service) =>
      atHandler(
        service,
        { path: '/api/resource/*', method: 'POST' },
        () => async () => json({ error: 'text is missing' }, { status: 400 }),
      ),
    fails: { 'protected-writes': ['status'] },
  },
  acceptedPropertyName: {
    description: 'finds in the object of its tokens what every object has (CWE-1321)',
    answers: on(
      (path, response, { headers }) =>
        atResource(path) &&
        response.status === 401 &&
        /^Bearer (constructor|__proto__)$/.test(headers.get('authorization') ?? ''),
      open,
    ),
    fails: { 'bearer-errors': ['refused'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
