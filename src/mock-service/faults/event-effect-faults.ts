import { replacing, wireProblem } from '../../mock/index.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { type EventSteps, toRegistration } from '../store/index.ts';
import { judgingEvents } from './event-judging.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** The steps of a revocation, some of them done another way. */
export function revoking(change: (right: EventSteps) => Partial<EventSteps>): Rewired {
  return ({ eventSteps }) => ({ eventSteps: { ...eventSteps, ...change(eventSteps) } });
}

/** Which registrations a subject has, by another condition. */
export const choosing = (
  where: string,
  values: (revocation: { issuer: string; subject: string }) => readonly string[],
): Rewired =>
  revoking(() => ({
    registrationsOf: async (tx, revocation) => {
      const sql = `SELECT * FROM registrations WHERE ${where} AND revoked_at IS NULL`;
      return (await tx.all(sql, values(revocation))).map(toRegistration);
    },
  }));

/** Lets a subject in again before its next ID-JAG is looked at. */
function unbanning({ db, idJags }: ServiceContext): Partial<ServiceContext> {
  return {
    idJags: replacing(idJags, {
      accept: async (idJag, fresh, gate) => {
        await db.transaction((tx) =>
          tx.run('UPDATE registrations SET revoked_at = NULL WHERE issuer = ? AND subject = ?', [
            idJag.issuer,
            idJag.subject,
          ]),
        );
        return idJags.accept(idJag, fresh, gate);
      },
    }),
  };
}

/** Hides a registration, as a ban does that can be lifted. */
export const banning: Rewired = revoking(() => ({
  endRegistration: async (tx, { facts: { id } }, _revocation, { at }) => {
    await tx.run('DELETE FROM access_tokens WHERE registration_id = ?', [id]);
    await tx.run('UPDATE registrations SET revoked_at = ? WHERE id = ?', [at, id]);
  },
}));

/** Faults of what the events of providers change. */
export const EVENT_EFFECT_FAULTS = {
  ignoredEvent: {
    description: 'answers a revocation event without acting on it (RFC 8935 §2.2)',
    parts: ({ events }) => ({ events: replacing(events, { receive: async () => 'done' }) }),
    breaks: ['AR-EVENT-1.service', 'W7-13', 'SET-09', 'AR-EP-10'],
    fails: { 'event-revocation': ['assertion-ended'], 'event-order': [], 'event-subjects': [] },
  },
  staleTokensAfterEvent: {
    description: 'keeps access tokens active after a revocation event (wire contract §7)',
    parts: revoking(() => ({
      // The registration is no longer the subject's, yet it stays: its tokens would die with it.
      endRegistration: async (tx, { facts: { id } }) => {
        await tx.run('DELETE FROM assertions WHERE registration_id = ?', [id]);
        await tx.run("UPDATE registrations SET subject = '' WHERE id = ?", [id]);
      },
    })),
    breaks: ['SET-09'],
    fails: { 'event-revocation': ['token-ended'], 'event-reach': ['each-token'] },
  },
  staleRegistrationAfterEvent: {
    description: 'keeps the registration active after a revocation event (wire contract §7)',
    parts: revoking(({ endOlderCredentials }) => ({ endRegistration: endOlderCredentials })),
    breaks: ['SET-09'],
    fails: { 'event-revocation': ['begun-anew'] },
  },
  staleRevivedRegistration: {
    description: 'revives with the next ID-JAG what an event has ended (wire contract §7)',
    parts: (service) => ({ ...banning(service), ...unbanning(service) }),
    breaks: ['SET-09', 'W7-13', 'A-19-REVOKED'],
    fails: { 'event-revocation': ['begun-anew', 'old-stays-ended'] },
  },
  uncheckedEventSubjectSuffix: {
    description: 'ends every subject that begins with the one named (wire contract §7)',
    parts: choosing('issuer = ? AND subject LIKE ?', ({ issuer, subject }) => [
      issuer,
      `${subject}%`,
    ]),
    breaks: ['W7-19'],
    fails: { 'event-revocation': ['other-subject'] },
  },
  sharedEventSubject: {
    description: 'ends the subject at every provider, not only at the sender (attack A-27)',
    parts: choosing('subject = ?', ({ subject }) => [subject]),
    breaks: ['A-27', 'W7-19'],
    fails: { 'event-revocation': ['other-issuer'], 'event-issuer-bounds': ['own-subjects'] },
  },
  repeatedEventEffect: {
    description: 'acts again on a repeated event (RFC 8935 §2)',
    parts: ({ clock, events }) => ({
      events: replacing(events, {
        // Each delivery is an event of its own, and of now.
        receive: async ({ issuer, jti, revokes }) => {
          const now = clock.now();
          const own = revokes && { ...revokes, upTo: now };
          const received = await events.receive({ issuer, jti, revokes });
          if (received === 'done') return received;
          return events.receive({ issuer, jti: `${jti} ${now}`, revokes: own });
        },
      }),
    }),
    breaks: ['PSH-05', 'W7-08'],
    fails: { 'event-repeat': ['one-effect'] },
  },
  refusedRepeatedEvent: {
    description: 'refuses an event that it has seen before (RFC 8935 §2)',
    parts: ({ events }) => ({
      events: replacing(events, {
        receive: async (event) => {
          if ((await events.receive(event)) === 'done') return 'done';
          throw wireProblem('events', 'invalid_request');
        },
      }),
    }),
    breaks: ['PSH-05', 'W7-08'],
    fails: { 'event-repeat': ['acknowledged'] },
  },
  ignoredEventTime: {
    description: 'revokes up to now, whatever the time of the event (wire contract §7)',
    decisions: judgingEvents(() => ({ eventTime: ({ now }) => now })),
    breaks: ['SET-10', 'W7-15'],
    fails: { 'event-order': ['newer-lives'] },
  },
  ignoredLateEvent: {
    description: 'ends nothing by an event that arrives after its time (wire contract §7)',
    parts: revoking(({ endRegistration }) => ({
      endRegistration: async (tx, registration, revocation, cause) => {
        // Its time is in whole seconds.
        if (cause.at - revocation.upTo >= 1000) return;
        await endRegistration(tx, registration, revocation, cause);
      },
    })),
    breaks: ['W7-15'],
    fails: { 'event-order': ['ends-older'] },
  },
  ignoredEventToe: {
    description: 'ignores toe, the time of the event (RFC 8417 §2.2, toe)',
    decisions: judgingEvents(({ eventTime }) => ({
      eventTime: ({ claims: { toe: _toe, ...claims }, ...event }) =>
        eventTime({ ...event, claims }),
    })),
    breaks: ['W7-15'],
    fails: { 'event-order': ['time-of-event'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
