import {
  atEndpoint,
  atHandler,
  on,
  type RightHandler,
  type Tamper,
  withJson,
  withMembers,
} from '../../mock/index.ts';
import { IDENTITY_TYPES, normalizeEmail } from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { findUserBy } from '../store/index.ts';
import { readingMembers, sentMembers } from './sent-members.ts';
import type { Rewired, ServiceFault } from './service-fault.ts';

export const registering =
  (rewire: Rewire): Rewired =>
  (mock) =>
    atEndpoint(mock, REGISTRATION, rewire);

export type Rewire = (mock: ServiceContext) => Partial<ServiceContext>;

export const REGISTRATION = { path: PATHS.identity, method: 'POST' } as const;

export const START = { path: PATHS.claim, method: 'POST' } as const;

/** Shows by its answer whether the email that was sent has an account. */
const tellingAccount =
  ({ db }: ServiceContext, right: RightHandler<ServiceContext>): RightHandler<ServiceContext> =>
  async (c) => {
    const { email, login_hint: hint } = await sentMembers(c);
    const response = await right(c);
    const normalized = normalizeEmail(String(email ?? hint));
    if (normalized === undefined) return response;
    const user = await db.transaction((tx) => findUserBy(tx, 'email', normalized));
    return withMembers({ account: user ? 'known' : 'new' })(response, c.req.raw);
  };

export const atIdentity = (path: string, { status }: Response) =>
  status === 200 && (path === PATHS.identity || path === PATHS.claim);

/** The claim of an answer, changed. */
export function withClaim(change: (claim: Json, body: Json) => Json): Tamper {
  return withJson((body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) =>
        (name === 'claim' || name === 'claim_attempt') && typeof value === 'object'
          ? [name, change(value as Json, body)]
          : [name, value],
      ),
    ),
  );
}

export type Json = Record<string, unknown>;

export const withLink = (change: (link: string, claim: Json, body: Json) => string): Tamper =>
  withClaim((claim, body) => ({
    ...claim,
    verification_uri: change(String(claim['verification_uri']), claim, body),
  }));

/** Faults: what it does wrong when it registers agents. */
export const REGISTRATION_FAULTS = {
  uncheckedIdentityType: {
    description: 'treats an unknown registration type as anonymous (wire contract §3)',
    parts: registering((mock) => ({
      config: { ...mock.config, identityTypes: IDENTITY_TYPES },
      // As a `switch` does that ends in `default: anonymous`.
      ...readingMembers(mock, (members) =>
        IDENTITY_TYPES.some((type) => type === members['type'])
          ? members
          : { ...members, type: 'anonymous' },
      ),
    })),
  },
  exposedAccountExistence: {
    description: 'shows whether an email has an account (CIBA §13)',
    parts: (mock) =>
      atHandler(atHandler(mock, REGISTRATION, tellingAccount), START, tellingAccount),
  },
  missingClaimToken: {
    description: 'answers an anonymous registration without a claim token',
    answers: on((path) => path === PATHS.identity, withMembers({ claim_token: undefined })),
  },
  wrongSecondsType: {
    description: 'writes expires_in and interval as strings (RFC 8628 §3.2)',
    answers: on(
      atIdentity,
      withClaim(({ expires_in: end, interval, ...claim }) => ({
        ...claim,
        expires_in: String(end),
        interval: String(interval),
      })),
    ),
  },
  exposedUserCodeInLink: {
    description: 'puts the user code into verification_uri (RFC 8628 §3.3)',
    answers: on(
      atIdentity,
      withLink((link, claim) => `${link}?user_code=${String(claim['user_code'])}`),
    ),
  },
  exposedClaimTokenInLink: {
    description: 'puts the claim token into verification_uri (attack A-18)',
    answers: on(
      atIdentity,
      withLink((link, _claim, body) => `${link}?of=${String(body['claim_token'])}`),
    ),
  },
  wrongVerificationUri: {
    description: 'issues a verification_uri at another origin',
    answers: on(
      atIdentity,
      withLink((link) => link.replace(/:\d+\//, ':9/')),
    ),
  },
} satisfies Readonly<Record<string, ServiceFault>>;
