import {
  type JsonObject,
  JWT_TYPE,
  MEDIA_TYPE,
  REVOKED_EVENT_ENDING,
} from '../../protocol/index.ts';
import { randomToken } from '../../runtime/index.ts';
import type { Attempt } from '../outbox/after-attempt.ts';
import { discard } from '../outbox/receive-answer.ts';
import type { BuiltInProviderFault, Redecided } from './provider-fault.ts';
import { saying, signing } from './redeciding.ts';
import { tampered } from './rewiring.ts';

/** What a provider sends that looks nothing up. */
const ASSUMED_TYPE = `https://other.example/events${REVOKED_EVENT_ENDING}`;

/** What an attempt came to is taken for something else. */
function misjudging(change: (attempt: Attempt) => Attempt): Redecided {
  return (right) => ({
    ...right,
    afterAttempt: (attempt, ...rest) => right.afterAttempt(change(attempt), ...rest),
  });
}

/** Faults: what it does wrong when it notifies services of revoked consents. */
export const EVENT_FAULTS = {
  noEvent: {
    description: 'sends no revocation event',
    parts: () => ({ sendEvent: async () => ({ kind: 'delivered' }) }),
    breaks: ['AR-DOES-1.provider', 'AR-EVENT-1.provider'],
    fails: { 'event-sent': ['sent'] },
  },
  wrongEventMediaType: {
    description: 'sends an event as JSON (RFC 8935 §2.1)',
    parts: ({ fetch }) => ({
      fetch: (url, init) =>
        init?.method === 'POST'
          ? fetch(url, { ...init, headers: { ...init.headers, 'content-type': MEDIA_TYPE.json } })
          : fetch(url, init),
    }),
    breaks: ['PSH-01'],
    fails: { 'event-sent': ['request'] },
  },
  wrongEventTyp: {
    description: 'sends events with the typ of any JWT (RFC 8417 §2.3)',
    decisions: signing('event', ({ claims }) => ({ typ: 'JWT', claims })),
    breaks: ['SET-02'],
    fails: { 'event-sent': ['type'] },
  },
  extraEventExp: {
    description: 'gives events an exp (RFC 8417 §2.2)',
    decisions: saying('event', ({ iat }) => ({ exp: Number(iat) + 300 })),
    breaks: ['SET-03'],
    fails: { 'event-sent': ['no-exp'] },
  },
  missingEventJti: {
    description: 'sends events without jti (RFC 8417 §2.2)',
    decisions: saying('event', () => ({ jti: undefined })),
    breaks: ['SET-01', 'W7-20'],
    fails: { 'event-sent': ['claims'] },
  },
  missingEventAudience: {
    description: 'sends events without aud (RFC 8417 §2.2)',
    decisions: saying('event', () => ({ aud: undefined })),
    breaks: ['SET-05'],
    fails: { 'event-sent': ['audience'] },
  },
  wrongEventType: {
    description: 'sends an event of a type that the service does not list',
    decisions: (right) => ({
      ...right,
      event: (facts) => right.event({ ...facts, eventType: ASSUMED_TYPE }),
    }),
    breaks: ['AR-EVENT-1.provider', 'W1-05'],
    fails: { 'event-sent': ['event-type'] },
  },
  extraEvent: {
    description: 'sends two events in one token (RFC 8417 §2)',
    decisions: saying('event', ({ events }) => {
      const [type] = Object.keys(events as JsonObject);
      return { events: { ...(events as JsonObject), [`${type}/2`]: {} } };
    }),
    breaks: ['SET-04'],
    fails: { 'event-sent': ['one-event'] },
  },
  wrongEventSubject: {
    description: 'names another subject in an event than in its ID-JAGs',
    decisions: (right) => ({
      ...right,
      event: ({ entry, ...facts }) =>
        right.event({ ...facts, entry: { ...entry, subject: entry.email } }),
    }),
    breaks: ['W7-21'],
    fails: { 'event-sent': ['subject'] },
  },
  missingSubIdIssuer: {
    description: 'leaves the issuer out of a sub_id whose format needs it (RFC 9493 §3.2.2)',
    decisions: saying('event', ({ sub }) => ({ sub_id: { format: 'iss_sub', sub } })),
    breaks: ['SUB-01.provider', 'W7-21'],
    fails: { 'event-sent': ['sub-id'] },
  },
  wrongEventSignature: {
    description: 'sends events with a wrong signature',
    parts: tampered(JWT_TYPE.securityEvent),
    breaks: ['SET-11'],
    fails: { 'event-sent': ['signed'] },
  },
  noEventRetry: {
    description: 'does not retry a delivery that failed (RFC 8935 §2)',
    decisions: misjudging((attempt) =>
      attempt.kind === 'failed' ? { kind: 'refused', problem: attempt.problem } : attempt,
    ),
    breaks: ['PSH-06', 'W9-18'],
    fails: { 'event-retry': ['retried'] },
  },
  noEventRetryDelay: {
    description: 'retries a failed delivery without delay (RFC 8935 §2)',
    parts: ({ sendEvent }) => ({
      sendEvent: async (...sending) => {
        const attempt = await sendEvent(...sending);
        return attempt.kind === 'failed' ? sendEvent(...sending) : attempt;
      },
    }),
    breaks: ['PSH-06'],
    fails: { 'event-retry': ['delayed'] },
  },
  wrongRetryJti: {
    description: 'gives an event another jti at each retry (RFC 8417 §2.2)',
    parts: ({ random, sendEvent }) => ({
      sendEvent: (sender, entry, signal) =>
        sendEvent(sender, { ...entry, id: randomToken(random, 'set_') }, signal),
    }),
    breaks: ['PSH-06'],
    fails: { 'event-retry': ['same-event'] },
  },
  repeatedRefusedEvent: {
    description: 'retries a delivery that was refused (RFC 8935 §2)',
    decisions: misjudging((attempt) =>
      attempt.kind === 'refused' ? { kind: 'failed', problem: attempt.problem } : attempt,
    ),
    breaks: ['PSH-06', 'W9-18'],
    fails: { 'event-retry': ['stops'] },
  },
  unescapedEventRefusal: {
    description: 'shows the description of a refusal unescaped (RFC 8935 §2.3)',
    decisions: (right) => ({ ...right, refusalText: (words) => words }),
    breaks: ['PSH-07'],
    fails: { 'event-retry': ['shown-as-text'] },
  },
  repeatedDeliveredEvent: {
    description: 'sends an event again that was accepted (RFC 8935 §2)',
    decisions: misjudging((attempt) =>
      attempt.kind === 'delivered' ? { kind: 'failed', problem: { code: 'taken' } } : attempt,
    ),
    breaks: ['PSH-06'],
    fails: { 'event-retry': ['once'] },
  },
  trustedRedirect: {
    description: 'follows the redirects of services',
    parts: ({ fetch }) => ({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const location = response.headers.get('location');
        if (location === null) return response;
        discard(response);
        return fetch(new URL(location, url).href, init);
      },
    }),
    breaks: ['A-09.provider', 'PSH-10', 'W9-16'],
    fails: { 'event-retry': ['no-redirect'], 'event-address': ['metadata-redirect'] },
  },
  uncheckedReceiverIssuer: {
    description: 'accepts an events endpoint from the metadata of another issuer',
    decisions: (right) => ({
      ...right,
      receiver: { ...right.receiver, isIssuedBy: () => true },
    }),
    breaks: ['A-09.provider', 'PSH-10', 'W9-16'],
    fails: { 'event-address': ['metadata-issuer'] },
  },
  uncheckedReceiverOrigin: {
    description: 'sends events to an events endpoint at another origin',
    decisions: (right) => ({
      ...right,
      receiver: { ...right.receiver, isReceiverOf: () => true },
    }),
    breaks: ['A-09.provider'],
    fails: { 'event-address': ['foreign-origin'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;
