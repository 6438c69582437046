import { TOKEN } from '../../../../src/mock-service/faults/token-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withJson, withMembers, withStatus, withoutHeaders } = rewire;

const IDENTITY = '/agent/identity';

const REFUSED = (path: string, { status }: Response) => path === IDENTITY && status >= 400;

/** Nothing of the error stays: with `error` it would be a refusal (RFC 6749 §5.2). */
const acceptedWith = (status: number) => (response: Response) =>
  Response.json({}, { status, headers: response.headers });

/** Faults: what it answers wrongly with the ID-JAGs of providers. */
export const ID_JAG_ANSWER_FAULTS = {
  uncheckedJwtSize: {
    description: 'accepts a JWT of any size (RFC 8725 §3.6)',
    answers: on(
      (path, { status }) => status === 413 && (path === IDENTITY || path === '/agent/event/notify'),
      acceptedWith(202),
    ),
    fails: { 'id-jag-headers': ['size'], 'event-headers': ['size'], 'event-transport': ['size'] },
  },
  missingGrantedScope: {
    description: 'leaves the granted scope out (ID-JAG draft §4.4.1)',
    answers: on((path) => path === TOKEN, withMembers({ scope: undefined })),
    fails: { 'id-jag': ['scope-said'] },
  },
  extraRefreshTokenForIdJag: {
    description: 'issues a refresh token for an ID-JAG (RFC 7521 §4.1)',
    answers: on(
      (path, { status }) => path === TOKEN && status === 200,
      withMembers({ refresh_token: 'rt_conformance' }),
    ),
    fails: { 'id-jag': ['no-refresh'] },
  },
  acceptedJwtAsAssertion: {
    description: 'issues an access token for any JWT at its token endpoint (RFC 8725 §3.12)',
    // Else an ID-JAG of a client that shows nothing is refused for its client.
    config: (right) => ({ ...right, redeemsIdJags: false }),
    answers: on(
      (path, { status }) => path === TOKEN && status === 400,
      async (response) =>
        Response.json({ access_token: 'at_conformance' }, { headers: response.headers }),
    ),
    fails: { 'id-jag-kinds': ['exchange'], 'event-kinds': ['exchange'] },
  },
  missingTokenTyp: {
    description: 'issues JWT access tokens without a typ (RFC 9068 §2)',
    answers: on(
      (path, { status }) => path === TOKEN && status === 200,
      withMembers({ access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.AAAA' }),
    ),
    fails: { 'id-jag-access-token': ['claims', 'audience'] },
  },
  uncheckedToken: {
    description: 'accepts access tokens that it did not issue (RFC 6750 §3.1)',
    answers: on(
      (path, { status }, request) =>
        path.startsWith('/api/') && status === 401 && request.headers.has('authorization'),
      withStatus(200),
    ),
    fails: { 'id-jag-access-token': ['changed'] },
  },
  acceptedJwtAsToken: {
    description: 'accepts any JWT as an access token (RFC 8725 §3.12)',
    answers: on(
      (path, { status }, request) =>
        path.startsWith('/api/') &&
        status === 401 &&
        (request.headers.get('authorization') ?? '').startsWith('Bearer eyJ'),
      withStatus(200),
    ),
    fails: { 'id-jag-kinds': ['bearer'], 'event-kinds': ['bearer'] },
  },
  missingRegistrationChallenge: {
    description: 'refuses a registration with 401 and no challenge (RFC 9110 §15.5.2)',
    answers: on(REFUSED, withoutHeaders('www-authenticate')),
    fails: { 'id-jag-codes': ['challenge'] },
  },
  wrongConfirmationCode: {
    description: 'asks for a confirmation with another error code (wire contract §3)',
    answers: on(
      (path, { status }) => path === IDENTITY && status === 401,
      withJson((body) =>
        body['error'] === 'interaction_required' ? { ...body, error: 'owner_must_agree' } : body,
      ),
    ),
    fails: { 'id-jag-confirmation': ['asked'] },
  },
  wrongDenialCode: {
    description: 'answers authorization_pending after a denial (RFC 8628 §3.5)',
    answers: on(
      (path, { status }) => path === TOKEN && status === 400,
      withJson((body) =>
        body['error'] === 'access_denied' ? { ...body, error: 'authorization_pending' } : body,
      ),
    ),
    fails: { 'id-jag-denial': ['denied'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
