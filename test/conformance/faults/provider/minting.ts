import type { FaultCase } from '../fault-case.ts';

const inScenario =
  (scenario: string) =>
  (fault: string, ...fails: readonly string[]): FaultCase => ({
    fault,
    scenarios: [scenario],
    fails: fails.map((check) => `${scenario}.${check}`),
  });
const mint = inScenario('mint');
const scope = inScenario('mint-scope');
const refusals = inScenario('mint-refusals');
const subject = inScenario('subject-token');
const requests = inScenario('token-requests');
const age = inScenario('session-age');

export const MINTING_CASES: readonly FaultCase[] = [
  mint('idTokensRefused', 'minted'),
  mint('issuedTypeUnsaid', 'issued-type'),
  mint('idJagAsBearer', 'token-type'),
  mint('idJagLifeUnsaid', 'expires-in'),
  mint('refreshTokenGiven', 'no-refresh-token'),
  mint('wrongType', 'header'),
  mint('idJagTampered', 'signed'),
  mint('idJagUndated', 'claims'),
  mint('idJagMethodsText', 'claim-types'),
  mint('idJagIssuerForeign', 'issuer'),
  mint('wrongAudience', 'audience'),
  mint('idJagClientForeign', 'client-id'),
  mint('idJagNameless', 'email', 'verified-address'),
  mint('unverifiedEmail', 'verified-address'),
  mint('missingAuthTime', 'sign-in-time'),
  mint('longLived', 'short-lived'),
  mint('reusedJti', 'unique'),
  mint('subjectPerSession', 'subject-stable'),
  mint('subjectShared', 'subjects-differ'),
  scope('idJagScopeWidened', 'scope', 'scope-said'),
  scope('idJagScopeUnsaid', 'scope-said'),
  scope('idJagResourceMissing', 'resource'),
  scope('resourceUnchecked', 'bad-resource', 'foreign-resource'),
  refusals('parametersUnchecked', 'missing-parameter', 'missing-parameter-code'),
  refusals('missingParameterMisnamed', 'missing-parameter-code'),
  refusals('requestedTypeUnchecked', 'requested-type'),
  refusals('anyAudienceMinted', 'unknown-audience', 'unknown-audience-code', 'own-issuer'),
  refusals('unknownAudienceMisnamed', 'unknown-audience-code'),
  refusals('actorHalfTaken', 'actor'),
  refusals('idJagTraded', 'id-jag-traded'),
  subject('subjectSignatureUnchecked', 'forged', 'unsigned', 'code', 'odd-members'),
  subject('unsignedSubjectTaken', 'unsigned'),
  subject('kindsConfused', 'kinds'),
  subject('foreignClientServed', 'other-client'),
  subject('oddMembersFatal', 'odd-members'),
  requests('mintByGet', 'get'),
  requests('mintByJson', 'json'),
  requests('doubledParametersTaken', 'doubled'),
  requests('formsUncapped', 'oversized'),
  requests('headersSplit', 'header-split'),
  requests('secretDemanded', 'secretless'),
  age('authTimeOfMint', 'sign-in-time-kept'),
  age('staleSessionMinted', 'stale'),
  age('staleSignInRenewed', 'stale', 'old-is-said'),
  age('sessionNeverEnds', 'stale', 'expired'),
];
