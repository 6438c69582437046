import type { ReadCredentials } from '../../mock/http/request.ts';
import { on, withStatus } from '../../mock/http/tamper.ts';
import type { Decisions } from '../context/decisions.ts';
import type { ProtectedCall } from '../resource/protected-call.ts';
import type { Redecided, Rewired, ServiceFault } from './service-fault.ts';

/** Whether a call is allowed is judged another way. */
export function judging(
  judge: (call: ProtectedCall, right: (call: ProtectedCall) => Verdict) => Verdict,
): Redecided {
  return (decisions) => ({
    ...decisions,
    judgeCall: (call) => judge(call, decisions.judgeCall),
  });
}

export type Verdict = ReturnType<Decisions['judgeCall']>;

/** How a call shows its access token is read another way. */
export function readingCredentials(change: (right: ReadCredentials) => ReadCredentials): Rewired {
  return ({ reader }) => ({ reader: { ...reader, credentials: change(reader.credentials) } });
}

/** A token that the Authorization field does not hold is looked for here. */
export function lookingIn(
  find: (request: Request) => Promise<URLSearchParams> | URLSearchParams,
): Rewired {
  return readingCredentials((right) => async (request) => {
    const inField = await right(request);
    if (inField !== undefined) return inField;
    const token = (await find(request)).get('access_token');
    return token === null ? undefined : { token };
  });
}

export const atBadToken = (path: string, response: Response, request: Request) =>
  path.startsWith('/api/resource') &&
  response.status === 401 &&
  request.headers.has('authorization');

/** A call of a resource that is refused. */
export const atChallenge = (_path: string, { headers }: Response) =>
  /^Bearer .*resource_metadata=/.test(headers.get('www-authenticate') ?? '');

/** Faults: what it does wrong with calls of its resources. */
export const RESOURCE_FAULTS = {
  refusedToken: {
    description: 'refuses every access token at its resources',
    decisions: judging((call, right) => right({ ...call, token: undefined })),
  },
  acceptedQueryToken: {
    description: 'accepts an access token in the query (RFC 9700 §4.3.2)',
    parts: lookingIn(({ url }) => new URL(url).searchParams),
  },
  uncheckedTokenScope: {
    description: 'accepts a write with a token for reading only (RFC 6750 §3.1)',
    decisions: judging((call, right) => {
      const verdict = right(call);
      return verdict === 'insufficient_scope' ? (call.token ?? verdict) : verdict;
    }),
  },
  wrongBadTokenStatus403: {
    description: 'answers a bad token with 403 (RFC 6750 §3.1)',
    answers: on(atBadToken, withStatus(403)),
  },
  missingMetadataHint: {
    description: 'leaves the URL of its metadata out of its challenge (RFC 9728 §5.1)',
    answers: on(atChallenge, (response) => {
      const { headers } = response;
      const said = headers.get('www-authenticate') ?? '';
      headers.set('www-authenticate', said.replace(/ resource_metadata="[^"]*",?/, ''));
      return response;
    }),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
