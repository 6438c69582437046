import { on, withJson, withMembers, withoutHeaders, withStatus } from '../../mock/index.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const EVENTS = '/agent/event/notify';
const REFUSED = (path: string, { status }: Response) => path === EVENTS && status === 400;

/** Faults: what it answers wrongly with events of providers. */
export const EVENT_ANSWER_FAULTS = {
  extraEventAnswerBody: {
    description: 'answers an event with a body (RFC 8935 §2.2)',
    answers: on(
      (path, { status }) => path === EVENTS && status === 202,
      ({ headers }) => new Response('{"status":"ok"}', { status: 202, headers }),
    ),
    breaks: ['PSH-02', 'W7-07'],
    fails: { 'event-revocation': ['status'] },
  },
  refusedEvent: {
    description: 'answers an event that it has acted on with 500',
    answers: on((path, { status }) => path === EVENTS && status === 202, withStatus(500)),
    breaks: ['AR-EP-10'],
    fails: { 'event-revocation': ['accepted'] },
  },
  wrongEventRefusalStatus: {
    description: 'refuses a bad event with 422 (RFC 8935 §2.3)',
    answers: on(REFUSED, withStatus(422)),
    breaks: ['PSH-03', 'W7-10'],
    fails: { 'event-refusals': ['status'] },
  },
  missingEventErrorDescription: {
    description: 'refuses a bad event without a description (RFC 8935 §2.3)',
    answers: on(REFUSED, withMembers({ description: undefined })),
    breaks: ['PSH-03', 'W7-10'],
    fails: { 'event-refusals': ['body'] },
  },
  missingContentLanguage: {
    description: 'does not say the language of a description (RFC 8935 §2.3)',
    answers: on(REFUSED, withoutHeaders('content-language')),
    breaks: ['PSH-03', 'W7-10'],
    fails: { 'event-refusals': ['language'] },
  },
  wrongEventErrorCode: {
    description: 'refuses events with a code of its own (RFC 8935 §2.4)',
    answers: on(REFUSED, withMembers({ err: 'bad_event' })),
    breaks: ['PSH-04', 'W7-11', 'PSH-11'],
    fails: { 'event-refusals': ['registered', 'codes'] },
  },
  repeatedEventErrorCode: {
    description: 'answers authentication_failed to every bad event (RFC 8935 §2.4)',
    answers: on(REFUSED, withMembers({ err: 'authentication_failed' })),
    breaks: ['PSH-11'],
    fails: { 'event-refusals': ['codes'] },
  },
  missingEventsAllow: {
    description: 'answers 405 at its events endpoint without Allow (RFC 9110 §15.5.6)',
    answers: on((path, { status }) => path === EVENTS && status === 405, withoutHeaders('allow')),
    breaks: ['PSH-08'],
    fails: { 'event-transport': ['method'] },
  },
  wrongEventsEndpointScheme: {
    description: 'names an events endpoint without TLS (RFC 8935 §5)',
    answers: on(
      (path) => path.startsWith('/.well-known/oauth-authorization-server'),
      withJson((body) => ({
        ...body,
        agent_auth: { ...Object(body['agent_auth']), events_endpoint: 'http://0.0.0.0:1/events' },
      })),
    ),
    breaks: ['PSH-09.service'],
    fails: { 'event-transport': ['secure'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
