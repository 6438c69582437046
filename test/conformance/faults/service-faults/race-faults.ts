import { matchingBy } from '../../../../src/mock-service/faults/id-jag-faults.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import { withFacts } from '../../../../src/mock-service/store/apply-effects.ts';
import type { StoredRegistration } from '../../../../src/mock-service/store/stored-registration.ts';
import {
  findNewest,
  findRegistrations,
} from '../../../../src/mock-service/store/stored-registration.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { Barrier, heldUntil } from './barrier.ts';
import { decidingLate, type Meant } from './deciding-late.ts';
import { revoking } from './event-effect-faults.ts';
import { writing } from './writing.ts';

const { replacing } = rewire;

const racing =
  (race: Parameters<typeof decidingLate>[0]): Rewired =>
  (mock) => ({ registrations: decidingLate(race)(mock) });

const isCode =
  (code: 'right' | 'wrong'): Meant =>
  (event, input) =>
    event === 'submit' && 'code' in input && input.code === code;

const isReopening: Meant = (event, _input, { attempt }) =>
  event === 'start' && attempt !== undefined;

/** Not the next one of those that come one by one: what holds it up would make it late enough. */
const isFirstPoll: Meant = (event, _input, { attempt }) =>
  event === 'poll' && attempt?.lastPollAt === undefined;

const isExchange: Meant = (event) => event === 'exchange';

const bySubject = ({ issuer, subject }: Pick<StoredRegistration, 'issuer' | 'subject'>) =>
  `${issuer} ${subject}`;

/** The store of events, in which each comes between what is decided late about its subject. */
function comingBetween<Seen>({ events }: Pick<ServiceContext, 'events'>, barrier: Barrier<Seen>) {
  return replacing(events, {
    receive: async (event) => {
      const receive = () => events.receive(event);
      return event.revokes === undefined
        ? receive()
        : barrier.comeBetween(bySubject(event.revokes), receive);
    },
  });
}

/** Faults: what goes wrong only when two requests arrive at the same time. */
export const RACE_FAULTS = {
  racyWrongCode: {
    description: 'writes a registration back whole, as it was before a wrong code (attack A-26)',
    parts: racing({ late: isCode('wrong'), between: isCode('right') }),
    fails: { 'owner-races': ['wrong-code'] },
  },
  sharedVisitor: {
    description: 'keeps who is signed in where requests at the same time share it (attack A-26)',
    parts: ({ sessions }) => {
      type Own = NonNullable<Awaited<ReturnType<typeof sessions.find>>>;
      const posting = new Map<Own, Own | undefined>();
      return {
        sessions: replacing(sessions, {
          find: async (c) => {
            const own = await sessions.find(c);
            if (own?.visitor === undefined || c.req.method !== 'POST') return own;
            // Each of two is taken for the other, whichever of them came first.
            const [other] = [...posting].find(([, partner]) => partner === undefined) ?? [];
            if (other !== undefined) posting.set(other, own);
            posting.set(own, other);
            await heldUntil(() => posting.get(own) !== undefined);
            const { visitor } = posting.get(own) ?? own;
            posting.delete(own);
            return { ...own, visitor };
          },
        }),
      };
    },
    fails: { 'owner-races': ['stranger'] },
  },
  racyReopen: {
    description: 'opens an attempt for a claim that has been completed meanwhile (attack A-26)',
    parts: (mock) => {
      const late = { late: isReopening, between: isCode('right') };
      return writing((right) => ({
        // Beside the claim, which is kept.
        open_attempt: async (tx, registration, effect) => {
          const { email, id } = registration.facts;
          const [now = registration] = await findRegistrations(tx, 'id = ?', [id]);
          return right.open_attempt(tx, withFacts(now, { email }), effect);
        },
      }))({ ...mock, registrations: decidingLate(late)(mock) });
    },
    fails: { 'owner-races': ['another-email'] },
  },
  racyExchange: {
    description: 'issues a token for an assertion that a claim has superseded meanwhile',
    parts: racing({ late: isExchange, between: isCode('right') }),
    fails: { 'owner-races': ['exchange'] },
  },
  racyTryLimit: {
    description: 'judges codes that arrive together before it counts the first (attack A-17)',
    parts: racing({ late: isCode('wrong') }),
    fails: { 'parallel-limits': ['tries'] },
  },
  racyRightCode: {
    description:
      'judges a right code before it counts the wrong ones that came with it (attack A-17)',
    parts: racing({ late: isCode('right'), between: isCode('wrong') }),
    fails: { 'parallel-limits': ['burst'] },
  },
  racySlowDown: {
    description: 'judges polls that arrive together before it notes the first (RFC 8628 §3.5)',
    parts: racing({ late: isFirstPoll }),
    fails: { 'parallel-limits': ['polls'] },
  },
  racyExchangeAtEvent: {
    description: 'issues a token for an assertion that an event has ended meanwhile',
    parts: (mock) => {
      const barrier = new Barrier<StoredRegistration>();
      return {
        ...racing({ late: isExchange, isOvertaken: true, barrier, about: bySubject })(mock),
        events: comingBetween(
          {
            ...mock,
            ...revoking((right) => ({ endRegistration: right.endOlderCredentials }))(mock),
          },
          barrier,
        ),
      };
    },
    fails: { 'event-races': ['exchange'] },
  },
  racyIdJagAtEvent: {
    description: 'registers by an ID-JAG that an event has revoked meanwhile (wire contract §7)',
    parts: (mock) => {
      const { db, idJags } = mock;
      const { queries } = idJags;
      const read = new WeakMap<object, { readonly upTo: number | undefined }>();
      const barrier = new Barrier<number | undefined>();
      return {
        events: comingBetween(mock, barrier),
        idJags: replacing(idJags, {
          queries: { ...queries, revokedUpTo: async (_tx, idJag) => read.get(idJag)?.upTo },
          accept: (idJag, ...given) =>
            barrier.decideLate(
              bySubject(idJag),
              () => db.transaction((tx) => queries.revokedUpTo(tx, idJag)),
              (upTo) => {
                read.set(idJag, { upTo });
                return idJags.accept(idJag, ...given);
              },
              { isOvertaken: true },
            ),
        }),
      };
    },
    fails: { 'event-races': ['register'] },
  },
  racyProvisioning: {
    description: 'creates a registration for each of the first ID-JAGs, and ends the latest alone',
    decisions: matchingBy(({ registration }) =>
      registration === undefined ? { emailAccount: undefined } : {},
    ),
    parts: (mock) => {
      const { db, idJags } = mock;
      const isNew = new WeakSet<object>();
      const barrier = new Barrier<StoredRegistration | undefined>();
      const { queries } = idJags;
      const { findRegistration, provisionUser } = queries;
      return {
        ...revoking(() => ({
          registrationsOf: async (tx, { issuer, subject }) => {
            const latest = await findNewest(tx, 'issuer = ? AND subject = ?', [issuer, subject]);
            return latest === undefined ? [] : [latest];
          },
        }))(mock),
        idJags: replacing(idJags, {
          queries: {
            ...queries,
            findRegistration: async (tx, idJag) =>
              isNew.has(idJag) ? undefined : findRegistration(tx, idJag),
            provisionUser: async (tx, now, user) => {
              const row = await tx.get('SELECT id FROM users WHERE email = ?', [user.email ?? '']);
              return row === undefined ? provisionUser(tx, now, user) : String(row['id']);
            },
          },
          accept: (idJag, ...given) =>
            barrier.decideLate(
              bySubject(idJag),
              () => db.transaction((tx) => findRegistration(tx, idJag)),
              (known) => {
                if (known === undefined) isNew.add(idJag);
                return idJags.accept(idJag, ...given);
              },
            ),
        }),
      };
    },
    fails: { 'id-jag-races': ['ended-by-one'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
