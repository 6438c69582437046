import { type AnswerFault, withJson, withMembers } from '../../mock/index.ts';
import { PATHS } from '../metadata.ts';

/** What the mock provider can be told to decide wrongly when it mints ID-JAGs. */
export const MINT_FAULTS = {
  wrongAudience: 'mints ID-JAGs for another service (RFC 8693 §2.1, audience)',
  wrongType: 'mints ID-JAGs without their typ (RFC 8725 §3.11)',
  unverifiedEmail: 'does not say that the email is verified',
  missingAuthTime: 'does not say when the user signed in',
  longLived: 'mints ID-JAGs that live for two hours',
  reusedJti: 'gives every ID-JAG the same jti (RFC 7519 §4.1.7)',
  idJagTampered: 'publishes another key than the one that signs (RFC 7517 §5)',
  idJagUndated: 'mints ID-JAGs without iat (ID-JAG §3.1)',
  idJagIssuerForeign: 'names another issuer in its ID-JAGs (ID-JAG §3.1, iss)',
  idJagClientForeign: 'names a client in its ID-JAGs that is not its own',
  idJagNameless: 'names nobody but by sub in its ID-JAGs',
  idJagMethodsText: 'writes amr as text, not as a list (ID-JAG §3.1, amr)',
  subjectPerSession: 'names one person by another sub at each sign-in (ID-JAG §3.1, sub)',
  subjectShared: 'names everybody by one sub (ID-JAG §3.1, sub)',
  idJagScopeWidened: 'writes more scope into an ID-JAG than was granted (ID-JAG §4.3.3)',
  idJagScopeUnsaid: 'grants less scope than was asked for, and does not say so (ID-JAG §4.3.4)',
  idJagResourceMissing: 'leaves the granted resource out of the ID-JAG (ID-JAG §4.3.3)',
  authTimeOfMint: 'takes the moment of minting for the one of the sign-in',
  staleSessionMinted: 'mints from a session however old its sign-in is (ID-JAG §9.2)',
  sessionNeverEnds: 'takes an ID token after its end, and however old the sign-in is',
  parametersUnchecked: 'mints when requested_token_type is missing (RFC 8693 §2.1)',
  requestedTypeUnchecked: 'mints an ID-JAG when another type was asked for (RFC 8693 §2.1)',
  anyAudienceMinted: 'mints for an audience that is no service, unasked (RFC 8693 §2.2.2)',
  unknownAudienceMisnamed: 'calls an unknown audience invalid_request (RFC 8693 §2.2.2)',
  resourceUnchecked: 'takes any text as resource (RFC 8707 §2)',
  actorHalfTaken: 'takes an actor token without its type (RFC 8693 §2.1)',
  subjectSignatureUnchecked: 'takes an ID token whoever signed it (RFC 7515 §5.2)',
  unsignedSubjectTaken: 'takes an ID token with the algorithm none (RFC 8725 §3.2)',
  kindsConfused: 'takes its own ID-JAG for an ID token (RFC 8725 §3.12)',
  idJagTraded: 'gives an access token for its own ID-JAG (ID-JAG §9.3)',
  foreignClientServed: 'gives any client what belongs to another one (ID-JAG §4.3.3)',
  oddMembersFatal: 'breaks down at a token with odd members',
  mintByJson: 'takes JSON at its token endpoint (RFC 6749 §3.2)',
  doubledParametersTaken: 'takes the last one of a doubled parameter (RFC 6749 §3.2)',
  formsUncapped: 'reads a form of any size at its token endpoint',
  idTokensRefused: 'refuses every ID token',
  secretDemanded: 'mints for no client without a secret (RFC 6749 §2.1)',
  staleSignInRenewed: 'says a new moment of sign-in instead of an old one',
  mintByGet: 'takes a GET at its token endpoint (RFC 6749 §3.2)',
} as const satisfies Readonly<Record<string, string>>;

const isMint = (path: string, response: Response) => path === PATHS.token && response.ok;

/** What it can be told to answer wrongly to a mint. */
export const MINT_ANSWER_FAULTS = {
  issuedTypeUnsaid: {
    says: 'does not say that it issued an ID-JAG (RFC 8693 §2.2.1)',
    at: isMint,
    spoil: withMembers({ issued_token_type: undefined }),
  },
  idJagAsBearer: {
    says: 'calls an ID-JAG a bearer token (ID-JAG §4.3.4)',
    at: isMint,
    spoil: withMembers({ token_type: 'Bearer' }),
  },
  idJagLifeUnsaid: {
    says: 'does not say how long an ID-JAG lives (RFC 8693 §2.2.1)',
    at: isMint,
    spoil: withMembers({ expires_in: undefined }),
  },
  refreshTokenGiven: {
    says: 'gives a refresh token with an ID-JAG (ID-JAG §4.3.4)',
    at: isMint,
    spoil: withMembers({ refresh_token: 'rt_0123456789abcdef' }),
  },
  missingParameterMisnamed: {
    says: 'calls a missing parameter invalid_grant (RFC 6749 §5.2)',
    at: (path) => path === PATHS.token,
    spoil: withJson((body) =>
      body['error'] === 'invalid_request' ? { ...body, error: 'invalid_grant' } : body,
    ),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
