import { beforeEach, describe, expect, it } from 'vitest';
import { createMockService, type MockService } from '../../src/mock-service/index.ts';
import { claimGrantType, HOUR } from '../../src/protocol/index.ts';
import { SeededRandom } from '../../src/runtime/index.ts';
import { describeWithPostgres } from '../support/postgres.ts';
import { fileStores, type NewStore, type Open, postgresStores } from '../support/stores.ts';
import { type FetchHandler, TestUser } from '../support/test-user.ts';
import { BASE, ceremonyOf, Harness, type Json, PROVIDER } from './harness.ts';

let openStore: Open;

/** Another service on the same store, in the same moment. */
async function replica(h: Harness, seed: number) {
  return createMockService({
    baseUrl: BASE,
    clock: h.clock,
    random: new SeededRandom(seed),
    fetch: h.provider.fetch,
    log: h.log,
    trust: [{ issuer: PROVIDER }],
    db: await openStore(),
  });
}

describe('a service on a file', () => itEndures(fileStores()));

describeWithPostgres('a service on PostgreSQL', (server) => {
  const newStore = postgresStores(server);
  itEndures(newStore);
  itRedeemsOnce(newStore);
});

describeWithPostgres('a service whose PostgreSQL is killed under load', (server) => {
  const newStore = postgresStores(server);

  it('answers 503 with Retry-After, is well again by itself, and has lost nothing', async () => {
    openStore = await newStore();
    const h = await Harness.start({ db: await openStore() });
    const registered: string[] = [];
    let refused = 0;
    let isKilled = false;
    let isWellAgain = false;
    const register = async () => {
      // Far more than a restart takes: without one the test ends, and fails.
      while (!isWellAgain && refused < 10_000) {
        const response = await h.service.fetch(
          new Request(`${BASE}/agent/identity`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"type":"anonymous"}',
          }),
        );
        const body = (await response.json()) as Json;
        if (response.status === 200) registered.push(String(body['registration_id']));
        else {
          expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
          refused += 1;
        }
        if (registered.length >= 40 && !isKilled) {
          isKilled = true;
          // The server ends all others then, and recovers from its log.
          const [backend] = await server.sql(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'agent-auth' LIMIT 1",
          );
          process.kill(Number(backend?.['pid']), 'SIGKILL');
        }
        isWellAgain ||= isKilled && refused > 0 && response.status === 200;
      }
    };
    await Promise.all(Array.from({ length: 16 }, register));
    const db = await openStore();
    const rows = await db.read((reader) => reader.all('SELECT id FROM registrations'));
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(registered));
  });
});

function itEndures(newStore: NewStore): void {
  beforeEach(async () => {
    openStore = await newStore();
  });

  it('goes on after a restart: keys, tokens, codes and what was spent', async () => {
    const db = await openStore();
    const h = await Harness.start({ db });
    const { body } = await h.register({ type: 'anonymous' });
    const token = (await h.exchange(body['identity_assertion'])).body['access_token'];
    const idJag = await h.provider.idJag();
    await h.register({ type: 'identity_assertion', assertion: idJag });
    await db.close();

    h.service = await replica(h, 2);
    expect((await h.call(token)).status).toBe(200);
    expect((await h.exchange(body['identity_assertion'])).status).toBe(200);
    const replayed = await h.register({ type: 'identity_assertion', assertion: idJag });
    expect(replayed.body['error']).toBe('replay_detected');
  });

  it('never redeems one ID-JAG twice, whichever replica it reaches', async () => {
    const h = await Harness.start({ db: await openStore() });
    const services = [h.service, await replica(h, 2), await replica(h, 3)];
    const assertion = await h.provider.idJag();
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const service = services[at % services.length] ?? h.service;
        const response = await service.fetch(
          new Request(`${BASE}/agent/identity`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ type: 'identity_assertion', assertion }),
          }),
        );
        return response.status;
      }),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(answers.filter((status) => status === 400)).toHaveLength(11);
  });

  it('keeps no secret in the clear', async () => {
    const h = await Harness.start({ db: await openStore() });
    const { body } = await h.register({ type: 'service_auth', login_hint: 'alice@example.com' });
    const anonymous = (await h.register({ type: 'anonymous' })).body;
    const token = (await h.exchange(anonymous['identity_assertion'])).body['access_token'];
    const db = await openStore();
    const stored = await db.transaction(async (tx) => {
      const tables = ['registrations', 'access_tokens', 'sessions', 'used_jtis'];
      const rows = await Promise.all(tables.map((table) => tx.all(`SELECT * FROM ${table}`)));
      return JSON.stringify(rows);
    });
    expect(stored).toContain('alice@example.com');
    const secrets = [body['claim_token'], body.claim?.user_code, token, anonymous['claim_token']];
    for (const secret of secrets) expect(stored).not.toContain(`"${String(secret)}"`);
    const link = body.claim?.verification_uri ?? '';
    expect(link).toContain('/cat_');
    expect(stored).not.toContain(link.slice(link.indexOf('cat_')));
  });

  it('forgets what is over, and nothing else', async () => {
    const h = await Harness.start({ db: await openStore() });
    const DAY = 86_400_000;
    for (let day = 0; day < 30; day += 1) {
      await h.register({ type: 'anonymous' });
      await h.exchange((await h.register({ type: 'anonymous' })).body['identity_assertion']);
      h.clock.advance(DAY);
    }
    const db = await openStore();
    const count = async (table: string) =>
      db.transaction(async (tx) =>
        Number((await tx.get(`SELECT COUNT(*) AS n FROM ${table}`))?.['n']),
      );
    expect(await count('registrations')).toBe(2 * 8);
    expect(await count('access_tokens')).toBe(1);
  });

  it('forgets without anybody registering again', async () => {
    const h = await Harness.start({ db: await openStore() });
    for (let round = 0; round < 20; round += 1) {
      const assertion = await h.provider.idJag();
      const { body } = await h.register({ type: 'identity_assertion', assertion });
      await h.exchange(body['identity_assertion']);
      h.clock.advance(3 * 3_600_000);
    }
    const db = await openStore();
    for (const table of ['used_jtis', 'assertions', 'access_tokens']) {
      const row = await db.transaction((tx) => tx.get(`SELECT COUNT(*) AS n FROM ${table}`));
      expect(Number(row?.['n']), table).toBeLessThan(3);
    }
  });
}

/** Each of many at once, over three replicas: one of them has it, and nobody is told to come again. */
function itRedeemsOnce(newStore: NewStore): void {
  const AT_ONCE = 50;
  let first: Harness;
  let services: readonly MockService[];
  beforeEach(async () => {
    openStore = await newStore();
    first = await Harness.start({ db: await openStore() });
    services = [first.service, await replica(first, 2), await replica(first, 3)];
  });

  let turn = 0;
  const nextReplica: FetchHandler = (request) => {
    turn += 1;
    return (services[turn % services.length] ?? first.service).fetch(request);
  };

  async function atOnce<T>(ask: () => Promise<T>): Promise<readonly T[]> {
    return Promise.all(Array.from({ length: AT_ONCE }, ask));
  }

  async function post(path: string, body: string, type: string) {
    const init = { method: 'POST', body, headers: { 'content-type': type } };
    const response = await nextReplica(new Request(BASE + path, init));
    return { status: response.status, body: (await response.json()) as Json };
  }

  async function rows(sql: string): Promise<number> {
    const db = await openStore();
    return (await db.read((reader) => reader.all(sql))).length;
  }

  it('redeems an ID-JAG once', async () => {
    const assertion = await first.provider.idJag();
    const body = JSON.stringify({ type: 'identity_assertion', assertion });
    const answers = await atOnce(() => post('/agent/identity', body, 'application/json'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.body['error'] === 'replay_detected');
    expect(refused).toHaveLength(AT_ONCE - 1);
    expect(await rows('SELECT id FROM registrations')).toBe(1);
  });

  it('takes a user code once', async () => {
    const { body } = await first.register({ type: 'anonymous' });
    const ceremony = ceremonyOf(await first.startClaim(body['claim_token'], 'alice@example.com'));
    const user = new TestUser(nextReplica);
    const form = await user.openSignedIn(ceremony.verification_uri, 'alice@example.com');
    const pages = await atOnce(() =>
      user.submit(form, '/agent/identity/claim/complete', {
        user_code: ceremony.user_code,
        decision: 'approve',
      }),
    );
    expect(pages.map(({ response }) => response.status)).not.toContain(503);
    expect(await rows(`SELECT seq FROM audit WHERE action = 'claim.completed'`)).toBe(1);
  });

  it('hands a claim over once, and the same one to whoever polls again', async () => {
    const { claim_token: claimToken } = await first.claimedAnonymous();
    const form = new URLSearchParams({
      grant_type: claimGrantType('vendor'),
      claim_token: String(claimToken),
    }).toString();
    const answers = await atOnce(() =>
      post('/oauth2/token', form, 'application/x-www-form-urlencoded'),
    );
    const handed = answers.filter(({ status }) => status === 200);
    expect(handed.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => ![200, 400].includes(status))).toEqual([]);
    expect(await rows('SELECT hash FROM access_tokens')).toBe(1);
    expect(await rows(`SELECT id FROM registrations WHERE registration LIKE '%"version":2%'`)).toBe(
      1,
    );
  });

  it('counts registrations of all replicas together', async () => {
    await atOnce(() => post('/agent/identity', '{"type":"anonymous"}', 'application/json'));
    expect(await rows('SELECT id FROM registrations')).toBe(AT_ONCE);
    expect(await rows(`SELECT seq FROM audit WHERE action = 'registration.created'`)).toBe(AT_ONCE);
  });

  it('follows the clock and the faults that another replica was told', async () => {
    const { body } = await first.register({ type: 'anonymous' });
    const token = (await first.exchange(body['identity_assertion'])).body['access_token'];
    const request = () =>
      new Request(`${BASE}/api/resource`, {
        headers: { authorization: `Bearer ${String(token)}` },
      });
    expect((await services[1]?.fetch(request()))?.status).toBe(200);
    await services[2]?.controls.moveClock({ advance: 2 * HOUR });
    expect((await services[1]?.fetch(request()))?.status).toBe(401);
    await services[0]?.controls.setFaults(['unavailable']);
    expect((await services[1]?.fetch(request()))?.status).toBe(503);
  });

  it('shares the signing key that is rotated in another replica', async () => {
    const keys = async (service?: MockService) =>
      (await service?.fetch(new Request(`${BASE}/.well-known/jwks.json`)))?.json();
    await services[1]?.controls.rotateKeys();
    expect(await keys(services[2])).toEqual(await keys(services[0]));
    expect(((await keys(services[2])) as { keys: unknown[] }).keys).toHaveLength(2);
  });
}
