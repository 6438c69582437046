import type { FaultCase } from '../fault-case.ts';

/** Faults with keys, signatures, headers and issuers, wherever a provider's JWT is taken. */
export const ID_JAG_VERIFICATION_CASES: readonly FaultCase[] = [
  {
    fault: 'anyJwtIsBearer',
    scenarios: ['id-jag-kinds', 'event-kinds'],
    fails: ['id-jag-kinds.bearer', 'event-kinds.bearer'],
  },
  {
    fault: 'certificateFetched',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.fetched', 'event-headers.fetched'],
  },
  {
    fault: 'claimedKeysFetched',
    scenarios: ['id-jag-issuer'],
    fails: ['id-jag-issuer.client-unfetched'],
  },
  {
    fault: 'clientDocumentFetched',
    scenarios: ['id-jag-issuer'],
    fails: ['id-jag-issuer.client-unfetched'],
  },
  {
    fault: 'criticalIgnored',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.critical', 'event-headers.critical'],
  },
  { fault: 'encryptionKeyAccepted', scenarios: ['id-jag-keys'], fails: ['id-jag-keys.use'] },
  {
    fault: 'exchangeRefused',
    scenarios: ['id-jag', 'id-jag-confirmation'],
    fails: ['id-jag.exchanged', 'id-jag-confirmation.linked'],
  },
  {
    fault: 'failureRemembered',
    scenarios: ['event-keys-unreachable'],
    fails: ['event-keys-unreachable.taken-later'],
  },
  {
    fault: 'fetchForEachKid',
    scenarios: ['id-jag-key-rotation'],
    fails: ['id-jag-key-rotation.flood', 'id-jag-key-rotation.few-fetches'],
  },
  {
    fault: 'fetchForTwentyKids',
    scenarios: ['id-jag-key-rotation'],
    fails: ['id-jag-key-rotation.few-fetches'],
  },
  {
    fault: 'fetchWithoutPause',
    scenarios: ['id-jag-key-rotation'],
    fails: ['id-jag-key-rotation.flood', 'id-jag-key-rotation.few-fetches'],
  },
  {
    fault: 'firstMemberWins',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.duplicates', 'event-headers.duplicates'],
  },
  {
    fault: 'hmacWithPublicKey',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.hmac', 'event-headers.hmac'],
  },
  { fault: 'issuerByPrefix', scenarios: ['id-jag-issuer'], fails: ['id-jag-issuer.look-alike'] },
  {
    fault: 'issuerUnbound',
    scenarios: ['id-jag-kinds', 'id-jag-issuer'],
    fails: ['id-jag-issuer.look-alike', 'id-jag-kinds.own-issuer'],
  },
  {
    fault: 'jkuTrusted',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: [
      'id-jag-headers.remote-key',
      'id-jag-headers.fetched',
      'event-headers.remote-key',
      'event-headers.fetched',
    ],
  },
  {
    fault: 'jsonSerializationAccepted',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.serialization', 'event-headers.serialization'],
  },
  {
    fault: 'keyAlgorithmIgnored',
    scenarios: ['id-jag-keys'],
    fails: ['id-jag-keys.key-algorithm'],
  },
  { fault: 'keyOpsIgnored', scenarios: ['id-jag-keys'], fails: ['id-jag-keys.key-ops'] },
  { fault: 'keyTypeIgnored', scenarios: ['id-jag-keys'], fails: ['id-jag-keys.key-type'] },
  {
    fault: 'keysOfAllIssuers',
    scenarios: ['id-jag-keys', 'event-issuer-bounds'],
    fails: ['id-jag-keys.cross-issuer', 'id-jag-keys.same-kid', 'event-issuer-bounds.foreign-key'],
  },
  { fault: 'kidGlobal', scenarios: ['id-jag-keys'], fails: ['id-jag-keys.same-kid'] },
  {
    fault: 'kidLeadsToSecret',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.kid', 'event-headers.kid'],
  },
  {
    fault: 'kidLookedUpCarelessly',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.kid', 'event-headers.kid'],
  },
  {
    fault: 'lenientBase64',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.encoding', 'event-headers.encoding'],
  },
  {
    fault: 'outageIsRefusal',
    scenarios: ['id-jag-key-rotation', 'event-keys-unreachable'],
    fails: ['id-jag-key-rotation.try-later', 'event-keys-unreachable.try-later'],
  },
  {
    fault: 'oversizedTaken',
    scenarios: ['id-jag-headers', 'event-headers', 'event-transport'],
    fails: ['id-jag-headers.size', 'event-headers.size', 'event-transport.size'],
  },
  {
    fault: 'rotationIgnored',
    scenarios: ['id-jag-key-rotation'],
    fails: ['id-jag-key-rotation.new-key', 'id-jag-key-rotation.try-later'],
  },
  {
    fault: 'signatureUnchecked',
    scenarios: ['id-jag-headers', 'id-jag-curable', 'event-refusals', 'event-headers'],
    fails: [
      'id-jag-curable.forged-burns-nothing',
      'id-jag-headers.ecdsa',
      'id-jag-headers.signature',
      'id-jag-headers.embedded-key',
      'id-jag-headers.remote-key',
      'id-jag-headers.kid',
      'id-jag-headers.critical',
      'id-jag-headers.unencoded',
      'event-refusals.unauthentic',
      'event-refusals.no-effect',
      'event-headers.ecdsa',
      'event-headers.signature',
      'event-headers.embedded-key',
      'event-headers.remote-key',
      'event-headers.kid',
      'event-headers.critical',
      'event-headers.unencoded',
    ],
  },
  { fault: 'smallRsaAccepted', scenarios: ['id-jag-keys'], fails: ['id-jag-keys.small-rsa'] },
  {
    fault: 'strangerFetched',
    scenarios: ['id-jag-issuer'],
    fails: ['id-jag-issuer.unfetched'],
  },
  // What was fetched once is not fetched at once again: a run of its own for each scenario.
  {
    fault: 'strangerFetched',
    scenarios: ['event-refusals'],
    fails: ['event-refusals.unfetched'],
  },
  {
    fault: 'strangerTrusted',
    scenarios: ['id-jag-issuer'],
    fails: [
      'id-jag-issuer.stranger',
      'id-jag-issuer.look-alike',
      'id-jag-issuer.sub-id',
      'id-jag-issuer.unfetched',
    ],
  },
  {
    fault: 'strangerTrusted',
    scenarios: ['event-refusals'],
    fails: ['event-refusals.unknown-issuer', 'event-refusals.unfetched'],
  },
  {
    fault: 'subIdTrusted',
    scenarios: ['id-jag-issuer'],
    fails: ['id-jag-issuer.sub-id', 'id-jag-issuer.unfetched'],
  },
  {
    fault: 'subjectByAddress',
    scenarios: ['id-jag-confirmation'],
    fails: ['id-jag-confirmation.other-subject', 'id-jag-confirmation.case-of-email'],
  },
  {
    fault: 'subjectOfAnyIssuer',
    scenarios: ['id-jag-known', 'event-revocation'],
    fails: ['id-jag-known.per-issuer', 'event-revocation.other-issuer'],
  },
  { fault: 'subjectOfAnyTenant', scenarios: ['id-jag-known'], fails: ['id-jag-known.per-tenant'] },
  { fault: 'subjectOfAnyType', scenarios: ['id-jag-claims'], fails: ['id-jag-claims.types'] },
  { fault: 'subjectWithAddress', scenarios: ['id-jag-known'], fails: ['id-jag-known.new-email'] },
  { fault: 'timesAsText', scenarios: ['id-jag-times'], fails: ['id-jag-times.numbers'] },
  { fault: 'tokensRefused', scenarios: ['id-jag'], fails: ['id-jag.works'] },
  {
    fault: 'typeSpelledStrictly',
    scenarios: ['id-jag-headers', 'event-contents'],
    fails: ['id-jag-headers.type-spelling', 'event-contents.type-spelling'],
  },
  {
    fault: 'typeUnchecked',
    scenarios: ['id-jag-codes', 'id-jag-kinds', 'id-jag-headers', 'event-refusals', 'event-kinds'],
    fails: [
      'id-jag-codes.order',
      'id-jag-kinds.event',
      'id-jag-headers.type',
      'event-refusals.type',
      'event-refusals.no-effect',
      'event-kinds.id-jag',
    ],
  },
  {
    fault: 'unencodedAccepted',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.unencoded', 'event-headers.unencoded'],
  },
  {
    fault: 'unknownClaimsRefused',
    scenarios: ['id-jag-claims'],
    fails: ['id-jag-claims.optional-absent'],
  },
  {
    fault: 'unstorableTextAccepted',
    scenarios: ['id-jag-claims'],
    fails: ['id-jag-claims.storable-text'],
  },
  {
    fault: 'unverifiableAccepted',
    scenarios: ['id-jag-key-rotation', 'event-keys-unreachable'],
    fails: [
      'id-jag-key-rotation.unreachable',
      'id-jag-key-rotation.try-later',
      'event-keys-unreachable.not-believed',
      'event-keys-unreachable.try-later',
    ],
  },
  {
    fault: 'unverifiedAccepted',
    scenarios: ['id-jag-addresses', 'id-jag-codes'],
    fails: ['id-jag-addresses.unverified', 'id-jag-codes.order'],
  },
  { fault: 'unverifiedLinked', scenarios: ['id-jag-denial'], fails: ['id-jag-denial.unverified'] },
  {
    fault: 'withdrawnKeyKept',
    scenarios: ['id-jag-key-rotation'],
    fails: ['id-jag-key-rotation.old-key'],
  },
  {
    fault: 'zeroSignatureAccepted',
    scenarios: ['id-jag-headers', 'event-headers'],
    fails: ['id-jag-headers.ecdsa', 'event-headers.ecdsa'],
  },
];
