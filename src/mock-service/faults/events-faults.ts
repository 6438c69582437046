import {
  type AnswerFault,
  withJson,
  withMembers,
  withoutHeaders,
  withStatus,
} from '../../mock/index.ts';

/** What the mock service can be told to decide wrongly with events of providers. */
export const EVENTS_FAULTS = {
  eventLeavesTokens: 'leaves access tokens alive at a revocation event (wire.md §7)',
  registrationOutlivesEvent: 'keeps the registration at a revocation event (wire.md §7)',
  eventForgottenByIdJag: 'revives what an event ended with the next ID-JAG (wire.md §7)',
  eventByPrefix: 'ends every subject that begins alike (wire.md §7)',
  eventOfAnyIssuer: 'ends the subject of every provider (attack A-27)',
  eventActsAgain: 'acts on a repeated event again (RFC 8935 §2)',
  repeatedEventRefused: 'refuses an event that it has seen (RFC 8935 §2)',
  eventTimeIgnored: 'takes each event for one of now (wire.md §7)',
  eventToeIgnored: 'ignores the time of the event (RFC 8417 §2.2, toe)',
  olderIdJagAccepted: 'takes an ID-JAG of before a revocation after it (wire.md §7)',
  unknownEventsRefused: 'refuses events that it does not know (SSF §4.2)',
  everyEventRevokes: 'takes every event for a revocation (SSF §4.2)',
  eventMembersRefused: 'refuses events with members that it does not know (SSF §4.2)',
  otherVendorIgnored: 'acts on the event under its own address alone (wire.md §1)',
  eventAudienceAlone: 'refuses an event with a list of audiences (RFC 8417 §2.2)',
  eventAudienceUnchecked: 'takes an event that is for another service (RFC 8935 §2)',
  eventExpRefused: 'refuses an event with exp (RFC 8417 §2.2)',
  eventClaimsOptional: 'takes an event without jti or iat (RFC 8417 §2.2)',
  subIdIgnored: 'reads sub alone (RFC 9493 §3)',
  twoSubjectsRefused: 'refuses sub beside sub_id though they agree (wire.md §7)',
  subIdWins: 'takes sub_id where sub says another subject (wire.md §7)',
  subIdFormatUnchecked: 'reads a sub_id whatever its format (RFC 9493 §3)',
  otherFormatsIgnored: 'acknowledges subjects of formats that it cannot read (wire.md §7)',
  foreignSubjectMiscalled: 'calls a subject of another issuer invalid_request (wire.md §7)',
  subIdOfAnyIssuer: 'believes the issuer in a sub_id (attack A-27)',
  subjectOptional: 'acknowledges a revocation of nobody (RFC 8417 §2.2)',
  ownTokensAreEvents: 'takes its own tokens for events (RFC 8725 §3.12)',
  eventMediaTypeUnchecked: 'takes an event of any media type (RFC 8935 §2.1)',
  eventParametersRefused: 'refuses a media type with a parameter (RFC 9110 §8.3)',
} as const satisfies Readonly<Record<string, string>>;

const EVENTS = '/agent/event/notify';
const REFUSED = (path: string, { status }: Response) => path === EVENTS && status === 400;

/** What it can be told to answer wrongly with events of providers. */
export const EVENTS_ANSWER_FAULTS = {
  eventAnswerTalks: {
    says: 'answers an event with a body (RFC 8935 §2.2)',
    at: (path, { status }) => path === EVENTS && status === 202,
    spoil: ({ headers }) => new Response('{"status":"ok"}', { status: 202, headers }),
  },
  eventRefusedOtherwise: {
    says: 'refuses a bad event with 422 (RFC 8935 §2.3)',
    at: REFUSED,
    spoil: withStatus(422),
  },
  eventRefusalBare: {
    says: 'refuses a bad event without a description (RFC 8935 §2.3)',
    at: REFUSED,
    spoil: withMembers({ description: undefined }),
  },
  eventLanguageUntold: {
    says: 'does not say the language of a description (RFC 8935 §2.3)',
    at: REFUSED,
    spoil: withoutHeaders('content-language'),
  },
  eventErrMadeUp: {
    says: 'refuses events with a code of its own (RFC 8935 §2.4)',
    at: REFUSED,
    spoil: withMembers({ err: 'bad_event' }),
  },
  eventErrAlwaysTheSame: {
    says: 'says authentication_failed of every bad event (RFC 8935 §2.4)',
    at: REFUSED,
    spoil: withMembers({ err: 'authentication_failed' }),
  },
  eventMethodUntold: {
    says: 'does not say which methods its events endpoint takes (RFC 9110 §15.5.6)',
    at: (path, { status }) => path === EVENTS && status === 405,
    spoil: withoutHeaders('allow'),
  },
  eventsInTheOpen: {
    says: 'names an events endpoint on http (RFC 8935 §5)',
    at: (path) => path.startsWith('/.well-known/oauth-authorization-server'),
    spoil: withJson((body) => ({
      ...body,
      agent_auth: { ...Object(body['agent_auth']), events_endpoint: 'http://0.0.0.0:1/events' },
    })),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;
