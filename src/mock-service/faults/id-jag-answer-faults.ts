import { on, withJson, withMembers, withoutHeaders, withStatus } from '../../mock/index.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const IDENTITY = '/agent/identity';
const TOKEN = '/oauth2/token';
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
    breaks: ['JWT-13', 'PSH-08'],
    fails: { 'id-jag-headers': ['size'], 'event-headers': ['size'], 'event-transport': ['size'] },
  },
  refusedExchange: {
    description: 'refuses every exchange (RFC 6749 §5.1)',
    answers: on((path, { status }) => path === TOKEN && status === 200, withStatus(400)),
    breaks: ['AR-DOES-1.service'],
    fails: { 'id-jag': ['exchanged'] },
  },
  missingGrantedScope: {
    description: 'leaves the granted scope out (ID-JAG draft §4.4.1)',
    answers: on((path) => path === TOKEN, withMembers({ scope: undefined })),
    breaks: ['IDJ-24'],
    fails: { 'id-jag': ['scope-said'] },
  },
  extraRefreshTokenForIdJag: {
    description: 'issues a refresh token for an ID-JAG (RFC 7521 §4.1)',
    answers: on(
      (path, { status }) => path === TOKEN && status === 200,
      withMembers({ refresh_token: 'rt_conformance' }),
    ),
    breaks: ['IDC-02', 'TOK-11'],
    fails: { 'id-jag': ['no-refresh'] },
  },
  acceptedJwtAsAssertion: {
    description: 'issues an access token for any JWT at its token endpoint (RFC 8725 §3.12)',
    answers: on(
      (path, { status }) => path === TOKEN && status === 400,
      async (response) =>
        Response.json({ access_token: 'at_conformance' }, { headers: response.headers }),
    ),
    breaks: ['A-08.service', 'JWT-09', 'W3-37', 'SET-07'],
    fails: { 'id-jag-kinds': ['exchange'], 'event-kinds': ['exchange'] },
  },
  missingTokenTyp: {
    description: 'issues JWT access tokens without a typ (RFC 9068 §2)',
    answers: on(
      (path, { status }) => path === TOKEN && status === 200,
      withMembers({ access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.AAAA' }),
    ),
    breaks: ['ATJ-01', 'ATJ-03'],
    fails: { 'id-jag-access-token': ['claims', 'audience'] },
  },
  uncheckedToken: {
    description: 'accepts access tokens that it did not issue (RFC 6750 §3.1)',
    answers: on(
      (path, { status }, request) =>
        path.startsWith('/api/') && status === 401 && request.headers.has('authorization'),
      withStatus(200),
    ),
    breaks: ['ATJ-02'],
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
    breaks: ['A-08.service', 'SET-07'],
    fails: { 'id-jag-kinds': ['bearer'], 'event-kinds': ['bearer'] },
  },
  missingRegistrationChallenge: {
    description: 'refuses a registration with 401 and no challenge (RFC 9110 §15.5.2)',
    answers: on(REFUSED, withoutHeaders('www-authenticate')),
    breaks: ['W4-24'],
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
    breaks: ['IDJ-22'],
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
    breaks: ['W8-04'],
    fails: { 'id-jag-denial': ['denied'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
