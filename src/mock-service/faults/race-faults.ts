import { replacing } from '../../mock/index.ts';
import type { EventInputs, EventName } from '../claim-machine/index.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { findNewest } from '../store/index.ts';
import { revoking } from './event-effect-faults.ts';
import { hashSlowly, hashUntil } from './hash-slowly.ts';
import { matchingBy } from './id-jag-match-faults.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** What this holds true of is decided on what was read, and judged, a while before it is written. */
function decidingLate(isMeant: (event: EventName, input: EventInputs[EventName]) => boolean) {
  return ({ db, registrations }: Pick<ServiceContext, 'db' | 'registrations'>) =>
    replacing(registrations, {
      decide: async (event, selector, actor, input) => {
        const read = await registrations.find(selector);
        if (read === undefined) return undefined;
        const given = await db.transaction(async (tx) => input(read.facts, tx));
        if (!isMeant(event, given)) return registrations.decide(event, selector, actor, input);
        await hashSlowly();
        return db.transaction((tx) => registrations.decideWithin(tx, event, read, actor, given));
      },
    });
}

const racing =
  (isMeant: Parameters<typeof decidingLate>[0]): Rewired =>
  (mock) => ({ registrations: decidingLate(isMeant)(mock) });

const isWrongCode = (event: EventName, input: EventInputs[EventName]) =>
  event === 'submit' && 'code' in input && input.code === 'wrong';

/** Faults: what goes wrong only when two requests arrive at the same time. */
export const RACE_FAULTS = {
  racyWrongCode: {
    description: 'writes a registration back whole, as it was before a wrong code (attack A-26)',
    parts: ({ effectWriters, ...mock }) => ({
      registrations: decidingLate(isWrongCode)(mock),
      effectWriters: {
        ...effectWriters,
        count_wrong_code: async (tx, registration, effect) => {
          const { claimedAt, id, userId } = registration.facts;
          await effectWriters.count_wrong_code(tx, registration, effect);
          await tx.run('UPDATE registrations SET claimed_at = ?, user_id = ? WHERE id = ?', [
            claimedAt ?? null,
            userId ?? null,
            id,
          ]);
        },
      },
    }),
    breaks: ['A-26'],
    fails: { 'owner-races': ['wrong-code'] },
  },
  sharedVisitor: {
    description: 'keeps who is signed in where requests at the same time share it (attack A-26)',
    parts: ({ sessions }) => {
      let latest: Awaited<ReturnType<typeof sessions.find>>;
      return {
        sessions: replacing(sessions, {
          find: async (c) => {
            const own = await sessions.find(c);
            if (own === undefined) return undefined;
            latest = own;
            if (c.req.method === 'POST') await hashUntil(() => latest !== own);
            return { ...own, visitor: latest.visitor };
          },
        }),
      };
    },
    breaks: ['A-16.service', 'A-26'],
    fails: { 'owner-races': ['stranger'] },
  },
  racyReopen: {
    description: 'opens an attempt for a claim that has been completed meanwhile (attack A-26)',
    parts: racing((event) => event === 'start'),
    breaks: ['A-16.service', 'A-26'],
    fails: { 'owner-races': ['another-email'] },
  },
  racyExchange: {
    description: 'issues a token for an assertion that a claim has superseded meanwhile',
    parts: racing((event) => event === 'exchange'),
    breaks: ['TOK-20', 'W6-22'],
    fails: { 'owner-races': ['exchange'] },
  },
  racyTryLimit: {
    description: 'judges codes that arrive together before it counts the first (attack A-17)',
    parts: racing(isWrongCode),
    breaks: ['A-17', 'DEV-18'],
    fails: { 'parallel-limits': ['tries'] },
  },
  racySlowDown: {
    description: 'judges polls that arrive together before it notes the first (RFC 8628 §3.5)',
    parts: racing((event) => event === 'poll'),
    breaks: ['DEV-09'],
    fails: { 'parallel-limits': ['polls'] },
  },
  racyExchangeAtEvent: {
    description: 'issues a token for an assertion that an event has ended meanwhile',
    parts: (mock) => ({
      ...racing((event) => event === 'exchange')(mock),
      ...revoking(({ endOlderCredentials }) => ({ endRegistration: endOlderCredentials }))(mock),
    }),
    breaks: ['A-26'],
    fails: { 'event-races': ['exchange'] },
  },
  racyIdJagAtEvent: {
    description: 'registers by an ID-JAG that an event has revoked meanwhile (wire contract §7)',
    parts: ({ db, idJagQueries, idJags }) => {
      const read = new WeakMap<object, { readonly upTo: number | undefined }>();
      return {
        idJagQueries: {
          ...idJagQueries,
          revokedUpTo: async (_tx, idJag) => read.get(idJag)?.upTo,
        },
        idJags: replacing(idJags, {
          accept: async (idJag, ...given) => {
            const upTo = await db.transaction((tx) => idJagQueries.revokedUpTo(tx, idJag));
            read.set(idJag, { upTo });
            await hashSlowly();
            return idJags.accept(idJag, ...given);
          },
        }),
      };
    },
    breaks: ['W7-13'],
    fails: { 'event-races': ['register'] },
  },
  racyProvisioning: {
    description: 'creates a registration for each of the first ID-JAGs, and ends the latest alone',
    decisions: matchingBy(({ registration }) =>
      registration === undefined ? { emailAccount: undefined } : {},
    ),
    parts: (mock) => {
      const { db, idJagQueries, idJags } = mock;
      const isNew = new WeakSet<object>();
      const { findRegistration, provisionUser } = idJagQueries;
      return {
        ...revoking(() => ({
          registrationsOf: async (tx, { issuer, subject }) => {
            const latest = await findNewest(tx, 'issuer = ? AND subject = ?', [issuer, subject]);
            return latest === undefined ? [] : [latest];
          },
        }))(mock),
        idJagQueries: {
          ...idJagQueries,
          findRegistration: async (tx, idJag) =>
            isNew.has(idJag) ? undefined : findRegistration(tx, idJag),
          provisionUser: async (tx, now, user) => {
            const row = await tx.get('SELECT id FROM users WHERE email = ?', [user.email ?? '']);
            return row === undefined ? provisionUser(tx, now, user) : String(row['id']);
          },
        },
        idJags: replacing(idJags, {
          accept: async (idJag, ...given) => {
            const known = await db.transaction((tx) => findRegistration(tx, idJag));
            if (known === undefined) isNew.add(idJag);
            await hashSlowly();
            return idJags.accept(idJag, ...given);
          },
        }),
      };
    },
    breaks: ['W3-20', 'W7-13'],
    fails: { 'id-jag-races': ['one-registration', 'ended-by-one'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
