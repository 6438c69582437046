/**
 * Services that lose a race: each looks first and acts a while later. By the names that a replica is told.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';

/** @typedef {import('agent-auth/mock-service').ServiceFault} ServiceFault */

/** Turns of the event loop in which requests that arrived together come between. */
const A_WHILE = 20;

async function aWhile() {
  for (let turn = 0; turn < A_WHILE; turn += 1) await setImmediate();
}

/**
 * The same object with some methods done another way; the others run on the object itself.
 *
 * @template {object} Part
 * @param {Part} part
 * @param {Partial<Part>} methods
 * @returns {Part}
 */
function replacing(part, methods) {
  return new Proxy(part, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const own = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

/** ID-JAGs whose email, or subject, was not known when they arrived. @type {WeakSet<object>} */
const unknown = new WeakSet();

/** Up to when the ID-JAGs of a subject were revoked, when one arrived. @type {WeakMap<object, number | undefined>} */
const revocations = new WeakMap();

/**
 * What decides on a registration as it was a while before, or before another event of it that comes within a second.
 *
 * @param {string} meant its event
 * @param {string} [other] the event that is to come between
 * @param {(input: any) => boolean} [isLate] which inputs of the event; left out: all
 * @returns {NonNullable<ServiceFault['parts']>}
 */
function decidingLate(meant, other, isLate) {
  /** @type {Set<() => void>} */
  const waiting = new Set();
  const between = () =>
    Promise.race([setTimeout(1000), new Promise((resolve) => waiting.add(() => resolve(null)))]);
  return ({ db, registrations }) => ({
    registrations: replacing(registrations, {
      decide: async (event, selector, actor, input) => {
        if (event !== meant) {
          const decided = await registrations.decide(event, selector, actor, input);
          if (event === other) for (const goOn of waiting) goOn();
          return decided;
        }
        const read = await registrations.find(selector);
        if (read === undefined) return undefined;
        if (isLate !== undefined) {
          const given = await db.transaction(async (tx) => input(read.facts, tx));
          if (!isLate(given)) return registrations.decide(event, selector, actor, input);
        }
        await (other === undefined ? aWhile() : between());
        return db.transaction(async (tx) => {
          const given = await input(read.facts, tx);
          return registrations.decideWithin(tx, event, read, actor, given);
        });
      },
    }),
  });
}

/** @type {Readonly<Record<string, ServiceFault>>} */
export const BROKEN = {
  racyCode: {
    description: 'judges a code, and completes the claim or counts the try a while later',
    parts: decidingLate('submit'),
  },
  racyTryLimit: {
    description: 'counts a wrong code a while after it judged it',
    parts: decidingLate('submit', undefined, ({ code }) => code === 'wrong'),
  },
  racyEnd: {
    description:
      'ends the tokens that there are, and issues one by an assertion that it read before',
    parts: (mock) => ({
      ...decidingLate('exchange')(mock),
      tokens: replacing(mock.tokens, {
        find: async (hash) => {
          const found = await mock.tokens.find(hash);
          const sql = 'SELECT registration_id FROM access_tokens WHERE hash = ?';
          const row = found ? undefined : await mock.db.read((reader) => reader.get(sql, [hash]));
          if (row === undefined) return found;
          const holder = { id: String(row['registration_id']), email: undefined, isClaimed: false };
          return { scopes: [], resource: mock.config.issuer, holder };
        },
      }),
    }),
  },
  racyExchange: {
    description: 'issues a token for an assertion as it was a while before',
    parts: decidingLate('exchange'),
  },
  racySlowDown: {
    description: 'judges a poll, and notes it a while later',
    parts: decidingLate('poll'),
  },
  racyReopen: {
    description: 'opens an attempt for a claim as it was a while before',
    parts: decidingLate('start', 'submit'),
  },
  racyReplayCheck: {
    description: 'looks a jti up, and stores it a while later',
    parts: ({ db, idJags }) => ({
      idJags: replacing(idJags, {
        queries: { ...idJags.queries, isUsed: async () => false },
        accept: async (idJag, ...given) => {
          const sql = 'SELECT jti FROM used_jtis WHERE issuer = ? AND jti = ?';
          const row = await db.read((reader) => reader.get(sql, [idJag.issuer, idJag.jti]));
          await aWhile();
          if (row !== undefined) return { kind: 'refused', code: 'replay_detected' };
          return idJags.accept(idJag, ...given);
        },
      }),
    }),
  },
  racyIdJagAtEvent: {
    description: 'looks for a revocation, and registers by an ID-JAG a while later',
    parts: ({ db, idJags }) => ({
      idJags: replacing(idJags, {
        queries: {
          ...idJags.queries,
          revokedUpTo: async (_tx, idJag) => revocations.get(idJag),
        },
        accept: async (idJag, ...given) => {
          const sql = 'SELECT revoked_at FROM subject_revocations WHERE issuer = ? AND subject = ?';
          const named = [idJag.issuer, idJag.subject];
          const row = await db.read((reader) => reader.get(sql, named));
          revocations.set(idJag, row && Number(row['revoked_at']));
          await aWhile();
          return idJags.accept(idJag, ...given);
        },
      }),
    }),
  },
  racyProvisioning: {
    description: 'looks for the registration of a subject, and makes it a while later',
    decisions: (right) => ({
      ...right,
      matchIdJag: (facts) =>
        right.matchIdJag(facts.registration ? facts : { ...facts, emailAccount: undefined }),
    }),
    parts: ({ db, idJags }) => ({
      idJags: replacing(idJags, {
        queries: {
          ...idJags.queries,
          findRegistration: async (tx, idJag) =>
            unknown.has(idJag) ? undefined : idJags.queries.findRegistration(tx, idJag),
          provisionUser: async (tx, now, user) => {
            const row = await tx.get('SELECT id FROM users WHERE email = ?', [user.email ?? '']);
            return row === undefined
              ? idJags.queries.provisionUser(tx, now, user)
              : String(row['id']);
          },
        },
        accept: async (idJag, ...given) => {
          const sql = 'SELECT id FROM registrations WHERE issuer = ? AND subject = ?';
          const named = [idJag.issuer, idJag.subject];
          const row = await db.read((reader) => reader.get(sql, named));
          if (row === undefined) unknown.add(idJag);
          await aWhile();
          return idJags.accept(idJag, ...given);
        },
      }),
    }),
  },
  racyAccount: {
    description: 'looks for the account of an email, and makes it a while later',
    decisions: (right) => ({
      ...right,
      matchIdJag: (facts) =>
        right.matchIdJag(unknown.has(facts.idJag) ? { ...facts, emailAccount: undefined } : facts),
    }),
    parts: ({ db, idJags }) => ({
      idJags: replacing(idJags, {
        queries: {
          ...idJags.queries,
          provisionUser: async (tx, now, user) => {
            const row = await tx.get('SELECT id FROM users WHERE email = ?', [user.email ?? '']);
            return row === undefined
              ? idJags.queries.provisionUser(tx, now, user)
              : String(row['id']);
          },
        },
        accept: async (idJag, ...given) => {
          const sql = 'SELECT id FROM users WHERE email = ?';
          const row = await db.read((reader) => reader.get(sql, [idJag.email ?? '']));
          if (row === undefined) unknown.add(idJag);
          await aWhile();
          return idJags.accept(idJag, ...given);
        },
      }),
    }),
  },
  touchedTokens: {
    description: 'stores a token again after it has been used, as one that notes its last use may',
    parts: ({ db, tokens }) => ({
      tokens: replacing(tokens, {
        find: async (hash) => {
          const sql = 'SELECT * FROM access_tokens WHERE hash = ?';
          const row = await db.read((reader) => reader.get(sql, [hash]));
          const found = await tokens.find(hash);
          if (row === undefined) return found;
          await aWhile();
          const names = Object.keys(row);
          await db.transaction((tx) =>
            tx.run(
              `INSERT INTO access_tokens (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
               ON CONFLICT DO NOTHING`,
              Object.values(row),
            ),
          );
          return found;
        },
      }),
    }),
  },
  racyLimits: {
    description: 'reads the counts of registrations, and writes them one higher a while later',
    parts: ({ db, registrations }) => {
      /** @param {Parameters<typeof registrations.enroll>[1]} gate */
      const late = async (gate) => {
        const rows = await db.read((reader) => reader.all('SELECT * FROM rate_counters'));
        const counts = new Map(rows.map((row) => [row['bucket'], Number(row['count'])]));
        await aWhile();
        /** @type {NonNullable<typeof gate>} */
        const counting = async (tx, now) =>
          gate?.(
            replacing(tx, {
              run: (sql, params = []) => {
                if (!sql.includes('INTO rate_counters')) return tx.run(sql, params);
                const [bucket = null, endsAt = null] = params;
                return tx.run(
                  `INSERT INTO rate_counters (bucket, count, expires_at) VALUES (?, ?, ?)
                   ON CONFLICT (bucket) DO UPDATE SET count = excluded.count`,
                  [bucket, (counts.get(bucket) ?? 0) + 1, endsAt],
                );
              },
            }),
            now,
          );
        return counting;
      };
      return {
        registrations: replacing(registrations, {
          enroll: async (registration, gate) =>
            registrations.enroll(registration, await late(gate)),
          enrollPending: async (registration, attempt, gate) =>
            registrations.enrollPending(registration, attempt, await late(gate)),
        }),
      };
    },
  },
};
