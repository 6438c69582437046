import { EVENTS } from '../../../../src/mock-service/faults/event-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withJson, withMembers, withStatus, withoutHeaders } = rewire;

const REFUSED = (path: string, { status }: Response) => path === EVENTS && status === 400;

/** Faults: what it answers wrongly with events of providers. */
export const EVENT_ANSWER_FAULTS = {
  extraEventAnswerBody: {
    description: 'answers an event with a body (RFC 8935 §2.2)',
    answers: on(
      (path, { status }) => path === EVENTS && status === 202,
      ({ headers }) => new Response('{"status":"ok"}', { status: 202, headers }),
    ),
    fails: { 'event-revocation': ['status'] },
  },
  wrongEventRefusalStatus: {
    description: 'refuses a bad event with 422 (RFC 8935 §2.3)',
    answers: on(REFUSED, withStatus(422)),
    fails: { 'event-refusals': ['status'] },
  },
  missingEventErrorDescription: {
    description: 'refuses a bad event without a description (RFC 8935 §2.3)',
    answers: on(REFUSED, withMembers({ description: undefined })),
    fails: { 'event-refusals': ['body'] },
  },
  missingContentLanguage: {
    description: 'does not say the language of a description (RFC 8935 §2.3)',
    answers: on(REFUSED, withoutHeaders('content-language')),
    fails: { 'event-refusals': ['language'] },
  },
  wrongEventErrorCode: {
    description: 'refuses events with a code of its own (RFC 8935 §2.4)',
    answers: on(REFUSED, withMembers({ err: 'bad_event' })),
    fails: { 'event-refusals': ['registered', 'codes'] },
  },
  repeatedEventErrorCode: {
    description: 'answers authentication_failed to every bad event (RFC 8935 §2.4)',
    answers: on(REFUSED, withMembers({ err: 'authentication_failed' })),
    fails: { 'event-refusals': ['codes'] },
  },
  missingEventsAllow: {
    description: 'answers 405 at its events endpoint without Allow (RFC 9110 §15.5.6)',
    answers: on((path, { status }) => path === EVENTS && status === 405, withoutHeaders('allow')),
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
    fails: { 'event-transport': ['secure'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
