import { readJsonObject } from '../../../../src/mock/http/request.ts';
import { json } from '../../../../src/mock/http/response.ts';
import {
  judging,
  lookingIn,
  readingCredentials,
} from '../../../../src/mock-service/faults/resource-faults.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { atHandler, on, withStatus } = rewire;

/** The Authorization field is read another way: this is what is made of it first. */
function readingAs(change: (field: string) => string): Rewired {
  return readingCredentials((right) => ({ headers, url }) => {
    const field = change(headers.get('authorization') ?? '');
    return right(new Request(url, { headers: { authorization: field } }));
  });
}

/** The write of the wire contract (§2). */
const WRITE = { path: '/api/resource/*', method: 'POST' } as const;

/** Faults of how an access token is taken from a call, and of what it allows. */
export const BEARER_FAULTS = {
  refusedSchemeSpelling: {
    description: 'accepts only one spelling of the scheme Bearer (RFC 9110 §11.1)',
    parts: readingAs((field) => (field.startsWith('Bearer') ? field : '')),
    fails: { bearer: ['letter-case'] },
  },
  acceptedRepeatedAuthorization: {
    description: 'reads the first of two Authorization fields (RFC 6750 §3.1)',
    parts: readingAs((field) => field.split(', ', 1).join()),
    fails: { bearer: ['repeated'] },
  },
  acceptedBodyToken: {
    description: 'accepts an access token in the body, which it does not advertise (RFC 9728 §2)',
    parts: lookingIn(async (request) => new URLSearchParams(await request.clone().text())),
    fails: { bearer: ['body'] },
  },
  uncheckedWriteToken: {
    description: 'answers 415 to a write that is not JSON, and takes any other without a token',
    parts: (service) =>
      atHandler(service, WRITE, ({ reader }) => async (c) => {
        await readJsonObject(reader, c, 'resource');
        return json({ message: 'The resource was written.' });
      }),
    fails: { 'protected-writes': ['no-token'], 'insufficient-scope': ['write-refused'] },
  },
  acceptedUnknownWriteToken: {
    description: 'takes a write with any token, known to it or not',
    parts: (service) =>
      atHandler(
        service,
        WRITE,
        (_mock, right) => async (c) =>
          c.req.header('authorization')?.startsWith('Bearer ')
            ? json({ message: 'The resource was written.' })
            : right(c),
      ),
    fails: { 'protected-writes': ['bad-token'], 'insufficient-scope': ['write-refused'] },
  },
  wrongWriteStatus: {
    description: 'answers 403 to a write without a token (RFC 6750 §3.1)',
    answers: on(
      (path, { status }, { headers, method }) =>
        path === '/api/resource' &&
        method === 'POST' &&
        status === 401 &&
        !headers.has('authorization'),
      withStatus(403),
    ),
    fails: { 'protected-writes': ['status'], bearer: [] },
  },
  refusedSubResource: {
    description: 'refuses a token at the URLs below its resource',
    decisions: judging((call, right) => {
      const { token, url } = call;
      const isForAll = token?.resource === new URL(url).origin;
      return right(isForAll || token?.resource === url ? call : { ...call, token: undefined });
    }),
    fails: { 'resource-indicators': ['below'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
