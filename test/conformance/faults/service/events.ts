import type { FaultCase } from '../fault-case.ts';

export const EVENTS_CASES: readonly FaultCase[] = [
  { fault: 'eventActsAgain', scenarios: ['event-repeat'], fails: ['event-repeat.one-effect'] },
  {
    fault: 'eventAnswerTalks',
    scenarios: ['event-revocation'],
    fails: ['event-revocation.accepted'],
  },
  {
    fault: 'eventAudienceAlone',
    scenarios: ['event-contents'],
    fails: ['event-contents.audience-list'],
  },
  {
    fault: 'eventAudienceUnchecked',
    scenarios: ['event-refusals'],
    fails: ['event-refusals.not-for-us', 'event-refusals.no-effect'],
  },
  {
    fault: 'eventByPrefix',
    scenarios: ['event-revocation'],
    fails: ['event-revocation.other-subject'],
  },
  {
    fault: 'eventClaimsOptional',
    scenarios: ['event-refusals'],
    fails: ['event-refusals.ill-formed', 'event-refusals.no-effect'],
  },
  {
    fault: 'eventErrAlwaysTheSame',
    scenarios: ['event-subjects', 'event-refusals'],
    fails: [
      'event-subjects.other-formats',
      'event-subjects.foreign-denied',
      'event-refusals.codes',
    ],
  },
  {
    fault: 'eventErrMadeUp',
    scenarios: ['event-subjects', 'event-refusals'],
    fails: [
      'event-subjects.other-formats',
      'event-subjects.foreign-denied',
      'event-refusals.registered',
      'event-refusals.codes',
    ],
  },
  {
    fault: 'eventExpRefused',
    scenarios: ['event-contents'],
    fails: ['event-contents.exp-tolerated'],
  },
  {
    fault: 'eventForgottenByIdJag',
    scenarios: ['event-revocation'],
    fails: ['event-revocation.begun-anew', 'event-revocation.old-stays-ended'],
  },
  {
    fault: 'eventIgnored',
    scenarios: ['event-revocation', 'event-order', 'event-subjects'],
    fails: [
      'event-revocation.assertion-ended',
      'event-revocation.token-ended',
      'event-revocation.begun-anew',
      'event-revocation.old-stays-ended',
      'event-order.not-newer-refused',
      'event-order.ends-older',
      'event-subjects.iss-sub',
      'event-subjects.agreeing',
    ],
  },
  {
    fault: 'eventLanguageUntold',
    scenarios: ['event-refusals'],
    fails: ['event-refusals.language'],
  },
  {
    fault: 'eventLeavesTokens',
    scenarios: ['event-revocation'],
    fails: ['event-revocation.token-ended'],
  },
  {
    fault: 'eventMediaTypeUnchecked',
    scenarios: ['event-transport'],
    fails: ['event-transport.media-type', 'event-transport.size'],
  },
  {
    fault: 'eventMembersRefused',
    scenarios: ['event-contents'],
    fails: ['event-contents.members'],
  },
  { fault: 'eventMethodUntold', scenarios: ['event-transport'], fails: ['event-transport.method'] },
  {
    fault: 'eventOfAnyIssuer',
    scenarios: ['event-revocation', 'event-issuer-bounds'],
    fails: [
      'event-revocation.other-issuer',
      'event-issuer-bounds.own-subjects',
      'event-issuer-bounds.foreign-sub-id',
      'event-issuer-bounds.foreign-key',
    ],
  },
  {
    fault: 'eventParametersRefused',
    scenarios: ['event-transport'],
    fails: ['event-transport.charset-tolerated'],
  },
  { fault: 'eventRefusalBare', scenarios: ['event-refusals'], fails: ['event-refusals.body'] },
  {
    fault: 'eventRefusedOtherwise',
    scenarios: ['event-subjects', 'event-refusals'],
    fails: [
      'event-subjects.other-formats',
      'event-subjects.foreign-denied',
      'event-refusals.status',
    ],
  },
  {
    fault: 'eventTimeIgnored',
    scenarios: ['event-order'],
    fails: ['event-order.newer-lives', 'event-order.time-of-event'],
  },
  { fault: 'eventToeIgnored', scenarios: ['event-order'], fails: ['event-order.time-of-event'] },
  { fault: 'eventsInTheOpen', scenarios: ['event-transport'], fails: ['event-transport.secure'] },
  { fault: 'everyEventRevokes', scenarios: ['event-contents'], fails: ['event-contents.unknown'] },
  {
    fault: 'foreignSubjectMiscalled',
    scenarios: ['event-subjects'],
    fails: ['event-subjects.foreign-denied'],
  },
  {
    fault: 'olderIdJagAccepted',
    scenarios: ['event-order'],
    fails: ['event-order.not-newer-refused'],
  },
  {
    fault: 'otherFormatsIgnored',
    scenarios: ['event-subjects'],
    fails: ['event-subjects.other-formats'],
  },
  {
    fault: 'otherVendorIgnored',
    scenarios: ['event-contents'],
    fails: ['event-contents.any-vendor'],
  },
  {
    fault: 'ownTokensAreEvents',
    scenarios: ['event-kinds'],
    fails: ['event-kinds.assertion', 'event-kinds.access-token'],
  },
  {
    fault: 'registrationOutlivesEvent',
    scenarios: ['event-revocation'],
    fails: ['event-revocation.begun-anew'],
  },
  {
    fault: 'repeatedEventRefused',
    scenarios: ['event-repeat'],
    fails: ['event-repeat.acknowledged'],
  },
  {
    fault: 'subIdFormatUnchecked',
    scenarios: ['event-subjects'],
    fails: [
      'event-subjects.two-subjects',
      'event-subjects.malformed',
      'event-subjects.other-formats',
      'event-subjects.foreign-denied',
    ],
  },
  {
    fault: 'subIdIgnored',
    scenarios: ['event-subjects'],
    fails: [
      'event-subjects.iss-sub',
      'event-subjects.two-subjects',
      'event-subjects.foreign-denied',
    ],
  },
  {
    fault: 'subIdOfAnyIssuer',
    scenarios: ['event-subjects', 'event-issuer-bounds'],
    fails: [
      'event-subjects.two-subjects',
      'event-subjects.foreign-denied',
      'event-issuer-bounds.foreign-sub-id',
      'event-issuer-bounds.foreign-key',
    ],
  },
  { fault: 'subIdWins', scenarios: ['event-subjects'], fails: ['event-subjects.two-subjects'] },
  { fault: 'subjectOptional', scenarios: ['event-subjects'], fails: ['event-subjects.no-subject'] },
  {
    fault: 'twoSubjectsRefused',
    scenarios: ['event-subjects'],
    fails: ['event-subjects.agreeing'],
  },
  {
    fault: 'unknownEventsRefused',
    scenarios: ['event-contents'],
    fails: [
      'event-contents.unknown',
      'event-contents.caep',
      'event-contents.risc',
      'event-contents.any-vendor',
    ],
  },
];
