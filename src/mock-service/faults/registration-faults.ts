import { on, type Tamper, withJson, withMembers } from '../../mock/http/tamper.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceFault } from './service-fault.ts';

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
