import { wireProblem } from '../../../../src/mock/http/response.ts';
import type { RegistrationFacts } from '../../../../src/mock-service/claim-machine/facts.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import type { EventSteps } from '../../../../src/mock-service/store/event-store.ts';
import { findRegistrations } from '../../../../src/mock-service/store/stored-registration.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { judgingEvents } from './event-judging.ts';
import { rewrite, rewriteFacts } from './writing.ts';

const { replacing } = rewire;

/** Which registrations a subject has, by another condition. */
export const choosing = (
  where: string,
  values: (revocation: { issuer: string; subject: string }) => readonly string[],
  isMeant: (facts: RegistrationFacts) => boolean = () => true,
): Rewired =>
  revoking(() => ({
    registrationsOf: async (tx, revocation) => {
      const found = await findRegistrations(
        tx,
        `${where} AND revoked_at IS NULL`,
        values(revocation),
      );
      return found.filter(({ facts }) => isMeant(facts));
    },
  }));

/** Lets a subject in again before its next ID-JAG is looked at. */
function unbanning({ db, idJags }: ServiceContext): Partial<ServiceContext> {
  return {
    idJags: replacing(idJags, {
      accept: async (idJag, fresh, gate) => {
        await db.transaction((tx) =>
          rewriteFacts(tx, 'issuer = ? AND subject = ?', [idJag.issuer, idJag.subject], {
            revokedAt: undefined,
          }),
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
    await rewriteFacts(tx, 'id = ?', [id], { revokedAt: at });
  },
}));

/** The steps of a revocation, some of them done another way. */
export function revoking(change: (right: EventSteps) => Partial<EventSteps>): Rewired {
  return ({ events }) => {
    const { steps } = events;
    return { events: replacing(events, { steps: { ...steps, ...change(steps) } }) };
  };
}

/** Faults of what the events of providers change. */
export const EVENT_EFFECT_FAULTS = {
  staleRegistrationAfterEvent: {
    description: 'keeps the registration active after a revocation event (wire contract §7)',
    parts: revoking(({ endOlderCredentials }) => ({ endRegistration: endOlderCredentials })),
    fails: { 'event-revocation': ['begun-anew'] },
  },
  staleRevivedRegistration: {
    description: 'revives with the next ID-JAG what an event has ended (wire contract §7)',
    parts: (service) => ({ ...banning(service), ...unbanning(service) }),
    fails: { 'event-revocation': ['begun-anew', 'old-stays-ended'] },
  },
  uncheckedEventSubjectSuffix: {
    description: 'ends every subject that begins with the one named (wire contract §7)',
    parts: choosing('issuer = ? AND subject LIKE ?', ({ issuer, subject }) => [
      issuer,
      `${subject}%`,
    ]),
    fails: { 'event-revocation': ['other-subject'] },
  },
  sharedEventSubject: {
    description: 'ends the subject at every provider, not only at the sender (attack A-27)',
    parts: choosing('subject = ?', ({ subject }) => [subject]),
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
    fails: { 'event-repeat': ['one-effect'] },
  },
  ignoredEventTime: {
    description: 'revokes up to now, whatever the time of the event (wire contract §7)',
    decisions: judgingEvents(() => ({ eventTime: ({ now }) => now })),
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
    fails: { 'event-order': ['ends-older'] },
  },
  ignoredEventToe: {
    description: 'ignores toe, the time of the event (RFC 8417 §2.2, toe)',
    decisions: judgingEvents(({ eventTime }) => ({
      eventTime: ({ claims: { toe: _toe, ...claims }, ...event }) =>
        eventTime({ ...event, claims }),
    })),
    fails: { 'event-order': ['time-of-event'] },
  },
  staleTokensAfterEvent: {
    description: 'keeps access tokens active after a revocation event (wire contract §7)',
    parts: revoking(() => ({
      // The registration is no longer the subject's, yet it stays: its tokens would die with it.
      endRegistration: async (tx, { facts: { id } }) => {
        await tx.run('DELETE FROM assertions WHERE registration_id = ?', [id]);
        await rewrite(tx, 'id = ?', [id], (before) => ({ ...before, subject: '' }));
      },
    })),
    fails: { 'event-revocation': ['token-ended'], 'event-reach': ['each-token'] },
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
    fails: { 'event-repeat': ['acknowledged'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
