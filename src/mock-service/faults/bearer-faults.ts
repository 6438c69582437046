import { json, readJsonObject } from '../../mock/index.ts';
import type { Decisions } from '../context/decisions.ts';
import type { ProtectedCall } from '../resource/protected-call.ts';
import { atHandler, on, withStatus } from './rewire.ts';
import type { BuiltInServiceFault, Redecided, Rewired } from './service-fault.ts';

type Verdict = ReturnType<Decisions['judgeCall']>;

/** Whether a call is allowed is judged another way. */
function judging(
  judge: (call: ProtectedCall, right: (call: ProtectedCall) => Verdict) => Verdict,
): Redecided {
  return (decisions) => ({
    ...decisions,
    judgeCall: (call) => judge(call, decisions.judgeCall),
  });
}

/** A token that the Authorization field does not hold is looked for here. */
function lookingIn(
  find: (request: Request) => Promise<URLSearchParams> | URLSearchParams,
): Rewired {
  return ({ credentials }) => ({
    credentials: async (request) => {
      const inField = await credentials(request);
      if (inField !== undefined) return inField;
      const token = (await find(request)).get('access_token');
      return token === null ? undefined : { token };
    },
  });
}

/** The Authorization field is read another way: this is what is made of it first. */
function readingAs(change: (field: string) => string): Rewired {
  return ({ credentials }) => ({
    credentials: ({ headers, url }) => {
      const field = change(headers.get('authorization') ?? '');
      return credentials(new Request(url, { headers: { authorization: field } }));
    },
  });
}

/** The write of the wire contract (§2). */
const WRITE = { path: '/api/resource/*', method: 'POST' } as const;

/** Faults of how an access token is taken from a call, and of what it allows. */
export const BEARER_FAULTS = {
  refusedToken: {
    description: 'refuses every access token at its resources',
    decisions: judging((call, right) => right({ ...call, token: undefined })),
    breaks: ['BRR-01', 'AR-AUTH-1.service', 'AR-DOES-1.service'],
    fails: { bearer: ['works'], 'id-jag': ['works'] },
  },
  refusedSchemeSpelling: {
    description: 'accepts only one spelling of the scheme Bearer (RFC 9110 §11.1)',
    parts: readingAs((field) => (field.startsWith('Bearer') ? field : '')),
    breaks: ['BRR-01'],
    fails: { bearer: ['letter-case'] },
  },
  acceptedRepeatedAuthorization: {
    description: 'reads the first of two Authorization fields (RFC 6750 §3.1)',
    parts: readingAs((field) => field.split(', ', 1).join()),
    breaks: ['BRR-04'],
    fails: { bearer: ['repeated'] },
  },
  acceptedQueryToken: {
    description: 'accepts an access token in the query (RFC 9700 §4.3.2)',
    parts: lookingIn(({ url }) => new URL(url).searchParams),
    breaks: ['BRR-02'],
    fails: { bearer: ['query'] },
  },
  acceptedBodyToken: {
    description: 'accepts an access token in the body, which it does not advertise (RFC 9728 §2)',
    parts: lookingIn(async (request) => new URLSearchParams(await request.clone().text())),
    breaks: ['BRR-02'],
    fails: { bearer: ['body'] },
  },
  uncheckedTokenScope: {
    description: 'accepts a write with a token for reading only (RFC 6750 §3.1)',
    decisions: judging((call, right) => {
      const verdict = right(call);
      return verdict === 'insufficient_scope' ? (call.token ?? verdict) : verdict;
    }),
    breaks: ['W2-17'],
    fails: { 'insufficient-scope': ['write-refused'] },
  },
  uncheckedWriteToken: {
    description: 'answers 415 to a write that is not JSON, and takes any other without a token',
    parts: (service) =>
      atHandler(service, WRITE, ({ reader }) => async (c) => {
        await readJsonObject(reader, c, 'resource');
        return json({ message: 'The resource was written.' });
      }),
    breaks: ['A-25-WRITES', 'W2-17'],
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
    breaks: ['W2-17', 'A-25-MADE-UP'],
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
    breaks: ['BRR-16'],
    fails: { 'protected-writes': ['status'], bearer: [] },
  },
  uncheckedTokenResource: {
    description: 'accepts a token at every resource (RFC 8707 §2.2)',
    decisions: judging((call, right) =>
      right({ ...call, token: call.token && { ...call.token, resource: call.url } }),
    ),
    breaks: ['PRM-14.service', 'RES-02', 'BCP-05', 'W6-08', 'W6-24'],
    fails: { 'resource-indicators': ['bound'] },
  },
  refusedSubResource: {
    description: 'refuses a token at the URLs below its resource',
    decisions: judging((call, right) => {
      const { token, url } = call;
      const isForAll = token?.resource === new URL(url).origin;
      return right(isForAll || token?.resource === url ? call : { ...call, token: undefined });
    }),
    breaks: ['W6-08'],
    fails: { 'resource-indicators': ['below'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
