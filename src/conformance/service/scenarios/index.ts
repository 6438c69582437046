import type { Scenario } from '../../engine/scenario.ts';
import type { ServiceWorld } from '../service-world.ts';
import { claimStart, reopen, reopenByEmail } from './claim/claim-start.ts';
import { codeFormat } from './claim/code-format.ts';
import {
  beforeClaim,
  claimedForGood,
  claimedTakeover,
  collection,
  denial,
  jsonComplete,
} from './claim/completion.ts';
import { attemptExpiry, windowExpiry } from './claim/expiry.ts';
import { parallelLimits } from './claim/parallel-limits.ts';
import { polling, unknownClaims } from './claim/polling.ts';
import { claimRaces, ownerRaces } from './claim/races.ts';
import { wholeCode, wrongAccount, wrongCodes } from './claim/wrong-codes.ts';
import { directoryCatalog, directorySiblings } from './directory/catalog.ts';
import { directoryJsonp, directoryXml } from './directory/formats.ts';
import { directoryGuarded, directoryListing, directoryRequests } from './directory/listing.ts';
import { agentAuth, skillFile } from './discovery/agent-auth.ts';
import { challenge, hostileHeaders, resourceMetadata } from './discovery/challenge.ts';
import {
  clientDocuments,
  grants,
  serverMetadata,
  serviceKeys,
} from './discovery/server-metadata.ts';
import { eventConfirmed, eventUnconfirmed } from './events/confirmed.ts';
import { eventContents, eventHeaders, eventKinds, eventTransport } from './events/contents.ts';
import { eventReach, eventSubjects } from './events/reach.ts';
import { eventIssuerBounds, eventKeysUnreachable, eventRefusals } from './events/refusals.ts';
import { eventOrder, eventRaces, eventRepeat, eventRevocation } from './events/revocation.ts';
import { idJagAudience } from './id-jag/audience.ts';
import { idJagClaims, idJagSignInAge, idJagTimes } from './id-jag/claims.ts';
import {
  confirmationReopen,
  confirmedScope,
  idJagConfirmation,
  idJagDenial,
} from './id-jag/confirmation.ts';
import { idJagHeaders, idJagKinds } from './id-jag/headers.ts';
import { idJagIssuer, idJagKeyRedirect } from './id-jag/issuer.ts';
import { idJagKeyRotation, idJagKeys } from './id-jag/keys.ts';
import { idJagEmails, idJagKnown, idJagRenamed } from './id-jag/known.ts';
import { accessTokenKind, idJagCodes, idJagMain, idJagRequest } from './id-jag/main-flow.ts';
import { idJagRaces, idJagReplay } from './id-jag/replay.ts';
import { idJagScope } from './id-jag/scope.ts';
import { claimPage, pageHeaders } from './pages/claim-page.ts';
import { completionForgery } from './pages/completion-forgery.ts';
import { connections } from './pages/connections.ts';
import { mailedSignIn } from './pages/mailed-sign-in.ts';
import { agentNames, pageInjection, providerName } from './pages/names.ts';
import { passwordSignIn } from './pages/password-sign-in.ts';
import { plantedSession, readableSession, sessionIds, signOut } from './pages/sessions.ts';
import { signInForgery, signInRedirects } from './pages/sign-in-redirects.ts';
import { redemptionAudience } from './redemption/audience.ts';
import { redemptionClaims } from './redemption/claims.ts';
import { redemptionClient, redemptionDocuments } from './redemption/client.ts';
import { redemptionErrors } from './redemption/errors.ts';
import { redemptionHeaders, redemptionKeys } from './redemption/headers.ts';
import { redemptionIssuer } from './redemption/issuer.ts';
import { crossAppMetadata, redemption } from './redemption/main-flow.ts';
import { redemptionReplay, redemptionRevocation } from './redemption/redeemed.ts';
import { redemptionResource, redemptionScope } from './redemption/scope.ts';
import { anonymous, sentMembers, serviceAuth } from './registration/by-type.ts';
import { forgedHosts } from './registration/forged-hosts.ts';
import { enumeration, loginHints } from './registration/login-hints.ts';
import { misleadingCodes } from './registration/misleading-codes.ts';
import { registrationAnswers, registrationTypes } from './registration/registration-answers.ts';
import { staysUp } from './stays-up.ts';
import { assertionAttacks } from './token/assertion-attacks.ts';
import { bearer, bearerErrors } from './token/bearer.ts';
import { clientAuthentication, exchange, exchangeRefusals } from './token/exchange.ts';
import { claimedToken, expiry } from './token/expiry.ts';
import { guard, protectedWrites } from './token/guard.ts';
import { identityAssertion, laterAssertions } from './token/identity-assertion.ts';
import { revocation } from './token/revocation.ts';
import { insufficientScope, resourceIndicators, scope } from './token/scope.ts';
import { errorLeaks, errorTexts } from './transport/error-texts.ts';
import { hostileJson, malformedJson } from './transport/hostile-json.ts';
import { longValues, oversized } from './transport/long-values.ts';
import { mediaTypes, methods } from './transport/media-types.ts';
import { smuggling, trickle } from './transport/raw-connections.ts';
import { cacheHeaders, cors, headerInjection } from './transport/response-headers.ts';

export const DISCOVERY_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  challenge,
  resourceMetadata,
  serverMetadata,
  agentAuth,
  grants,
  serviceKeys,
  skillFile,
  hostileHeaders,
  clientDocuments,
];

/** What each type of registration answers. */
export const REGISTRATION_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  anonymous,
  serviceAuth,
  registrationAnswers,
  registrationTypes,
  loginHints,
  enumeration,
  forgedHosts,
  misleadingCodes,
  sentMembers,
];

/** The claim of a registration without an ID-JAG, and every way that it can end. */
export const CLAIM_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  claimStart,
  reopen,
  reopenByEmail,
  polling,
  unknownClaims,
  codeFormat,
  attemptExpiry,
  windowExpiry,
  claimedForGood,
  claimedTakeover,
  beforeClaim,
  collection,
  denial,
  wrongCodes,
  wholeCode,
  wrongAccount,
  claimRaces,
  ownerRaces,
  parallelLimits,
  jsonComplete,
];

/** Cross-app access: the good redemption first, which unlocks the wrong ones. */
export const EMA_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  crossAppMetadata,
  redemption,
  redemptionAudience,
  redemptionClient,
  redemptionScope,
  redemptionResource,
  redemptionIssuer,
  redemptionReplay,
  redemptionErrors,
  redemptionRevocation,
  redemptionDocuments,
  redemptionKeys,
  redemptionClaims,
  redemptionHeaders,
];

/** Every scenario of the service, in the order in which an implementer builds: what is missing shows first. */
export const SERVICE_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  ...DISCOVERY_SCENARIOS,
  methods,
  mediaTypes,
  malformedJson,
  errorTexts,
  errorLeaks,
  cacheHeaders,
  cors,
  hostileJson,
  oversized,
  longValues,
  headerInjection,
  smuggling,
  trickle,
  exchange,
  identityAssertion,
  laterAssertions,
  exchangeRefusals,
  scope,
  resourceIndicators,
  clientAuthentication,
  assertionAttacks,
  bearer,
  bearerErrors,
  guard,
  insufficientScope,
  protectedWrites,
  revocation,
  claimedToken,
  expiry,
  ...REGISTRATION_SCENARIOS,
  ...CLAIM_SCENARIOS,
  idJagMain,
  idJagRequest,
  accessTokenKind,
  idJagKnown,
  idJagScope,
  idJagConfirmation,
  idJagDenial,
  confirmationReopen,
  confirmedScope,
  idJagRenamed,
  idJagEmails,
  idJagSignInAge,
  idJagClaims,
  idJagAudience,
  idJagTimes,
  idJagIssuer,
  idJagCodes,
  idJagReplay,
  idJagRaces,
  idJagKinds,
  idJagHeaders,
  idJagKeys,
  idJagKeyRotation,
  idJagKeyRedirect,
  eventRevocation,
  eventReach,
  eventConfirmed,
  eventUnconfirmed,
  eventRaces,
  eventRepeat,
  eventOrder,
  eventContents,
  eventSubjects,
  eventRefusals,
  eventIssuerBounds,
  eventHeaders,
  eventKinds,
  eventTransport,
  eventKeysUnreachable,
  // What the user of a service sees, and what others could make of it.
  claimPage,
  providerName,
  pageHeaders,
  sessionIds,
  plantedSession,
  readableSession,
  signInRedirects,
  signInForgery,
  mailedSignIn,
  passwordSignIn,
  completionForgery,
  pageInjection,
  agentNames,
  signOut,
  connections,
  // The service directory, where a service has one.
  directoryListing,
  directoryCatalog,
  directoryXml,
  directoryJsonp,
  directoryRequests,
  directorySiblings,
  directoryGuarded,
  ...EMA_SCENARIOS,
  staysUp,
];
