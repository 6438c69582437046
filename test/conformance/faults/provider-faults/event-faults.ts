import { misjudging } from '../../../../src/mock-provider/faults/event-faults.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { discard } from '../../../../src/mock-provider/outbox/receive-answer.ts';
import { MEDIA_TYPE, REVOKED_EVENT_ENDING } from '../../../../src/protocol/constants.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { randomToken } from '../../../../src/runtime/random-token.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { saying, signing } = rewire;

/** What a provider sends that looks nothing up. */
const ASSUMED_TYPE = `https://other.example/events${REVOKED_EVENT_ENDING}`;

/** Faults: what it does wrong when it notifies services of revoked consents. */
export const EVENT_FAULTS = {
  wrongEventMediaType: {
    description: 'sends an event as JSON (RFC 8935 §2.1)',
    parts: ({ fetch }) => ({
      fetch: (url, init) =>
        init?.method === 'POST'
          ? fetch(url, { ...init, headers: { ...init.headers, 'content-type': MEDIA_TYPE.json } })
          : fetch(url, init),
    }),
    fails: { 'event-sent': ['request'] },
  },
  wrongEventTyp: {
    description: 'sends events with the typ of any JWT (RFC 8417 §2.3)',
    decisions: signing('event', ({ claims }) => ({ typ: 'JWT', claims })),
    fails: { 'event-sent': ['type'] },
  },
  extraEventExp: {
    description: 'gives events an exp (RFC 8417 §2.2)',
    decisions: saying('event', ({ iat }) => ({ exp: Number(iat) + 300 })),
    fails: { 'event-sent': ['no-exp'] },
  },
  missingEventAudience: {
    description: 'sends events without aud (RFC 8417 §2.2)',
    decisions: saying('event', () => ({ aud: undefined })),
    fails: { 'event-sent': ['audience'] },
  },
  wrongEventType: {
    description: 'sends an event of a type that the service does not list',
    decisions: (right) => ({
      ...right,
      event: (facts) => right.event({ ...facts, eventType: ASSUMED_TYPE }),
    }),
    fails: { 'event-sent': ['event-type'] },
  },
  extraEvent: {
    description: 'sends two events in one token (RFC 8417 §2)',
    decisions: saying('event', ({ events }) => {
      const [type] = Object.keys(events as JsonObject);
      return { events: { ...(events as JsonObject), [`${type}/2`]: {} } };
    }),
    fails: { 'event-sent': ['one-event'] },
  },
  missingSubIdIssuer: {
    description: 'leaves the issuer out of a sub_id whose format needs it (RFC 9493 §3.2.2)',
    decisions: saying('event', ({ sub }) => ({ sub_id: { format: 'iss_sub', sub } })),
    fails: { 'event-sent': ['sub-id'] },
  },
  wrongEventTime: {
    description: 'dates the revocation an hour ahead of it (RFC 8417 §2.2)',
    decisions: saying('event', ({ iat }) => ({ toe: Number(iat) + 3600 })),
    fails: { 'event-sent': ['time'] },
  },
  noEventRetryDelay: {
    description: 'retries a failed delivery without delay (RFC 8935 §2)',
    parts: ({ sendEvent }) => ({
      sendEvent: async (...sending) => {
        const attempt = await sendEvent(...sending);
        return attempt.kind === 'failed' ? sendEvent(...sending) : attempt;
      },
    }),
    fails: { 'event-retry': ['delayed'] },
  },
  wrongRetryJti: {
    description: 'gives an event another jti at each retry (RFC 8417 §2.2)',
    parts: ({ random, sendEvent }) => ({
      sendEvent: (sender, entry, signal) =>
        sendEvent(sender, { ...entry, id: randomToken(random, 'set_') }, signal),
    }),
    fails: { 'event-retry': ['same-event'] },
  },
  repeatedRefusedEvent: {
    description: 'retries a delivery that was refused (RFC 8935 §2)',
    decisions: misjudging((attempt) =>
      attempt.kind === 'refused' ? { kind: 'failed', problem: attempt.problem } : attempt,
    ),
    fails: { 'event-retry': ['stops'] },
  },
  unescapedEventRefusal: {
    description: 'shows the description of a refusal unescaped (RFC 8935 §2.3)',
    decisions: (right) => ({ ...right, refusalText: (words) => words }),
    fails: { 'event-retry': ['shown-as-text'] },
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
    fails: { 'event-retry': ['no-redirect'], 'event-address': ['metadata-redirect'] },
  },
  uncheckedReceiverIssuer: {
    description: 'accepts an events endpoint from the metadata of another issuer',
    decisions: (right) => ({
      ...right,
      receiver: { ...right.receiver, isIssuedBy: () => true },
    }),
    fails: { 'event-address': ['metadata-issuer'] },
  },
  uncheckedReceiverOrigin: {
    description: 'sends events to an events endpoint at another origin',
    decisions: (right) => ({
      ...right,
      receiver: { ...right.receiver, isReceiverOf: () => true },
    }),
    fails: { 'event-address': ['foreign-origin'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
