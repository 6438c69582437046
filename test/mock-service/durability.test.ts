import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/mock/index.ts';
import { createMockService } from '../../src/mock-service/index.ts';
import { SeededRandom } from '../../src/runtime/index.ts';
import { BASE, Harness, PROVIDER } from './harness.ts';

let folder: string;
let file: string;
const open: Database[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  file = join(folder, 'service.db');
});
afterEach(async () => {
  for (const db of open.splice(0)) await db.close();
  rmSync(folder, { recursive: true });
});

async function database(): Promise<Database> {
  const db = await openDatabase({ file });
  open.push(db);
  return db;
}

/** Another process on the same file, in the same moment. */
async function replica(h: Harness, seed: number) {
  return createMockService({
    baseUrl: BASE,
    clock: h.clock,
    random: new SeededRandom(seed),
    fetch: h.provider.fetch,
    log: h.log,
    trust: [{ issuer: PROVIDER }],
    db: await database(),
  });
}

describe('a service on a file', () => {
  it('goes on after a restart: keys, tokens, codes and what was spent', async () => {
    const h = await Harness.start({ db: await database() });
    const { body } = await h.register({ type: 'anonymous' });
    const token = (await h.exchange(body['identity_assertion'])).body['access_token'];
    const idJag = await h.provider.idJag();
    await h.register({ type: 'identity_assertion', assertion: idJag });
    await open.pop()?.close();

    h.service = await replica(h, 2);
    expect((await h.call(token)).status).toBe(200);
    expect((await h.exchange(body['identity_assertion'])).status).toBe(200);
    const replayed = await h.register({ type: 'identity_assertion', assertion: idJag });
    expect(replayed.body['error']).toBe('replay_detected');
  });

  it('never redeems one ID-JAG twice, whichever replica it reaches', async () => {
    const h = await Harness.start({ db: await database() });
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
    const h = await Harness.start({ db: await database() });
    const { body } = await h.register({ type: 'service_auth', login_hint: 'alice@example.com' });
    const anonymous = (await h.register({ type: 'anonymous' })).body;
    const token = (await h.exchange(anonymous['identity_assertion'])).body['access_token'];
    const db = await database();
    const stored = await db.transaction(async (tx) => {
      const tables = ['registrations', 'access_tokens', 'sessions', 'used_jtis'];
      const rows = await Promise.all(tables.map((table) => tx.all(`SELECT * FROM ${table}`)));
      return JSON.stringify(rows);
    });
    expect(stored).toContain('alice@example.com');
    const secrets = [body['claim_token'], body.claim?.user_code, token, anonymous['claim_token']];
    for (const secret of secrets) expect(stored).not.toContain(`"${String(secret)}"`);
    const link = new URL(body.claim?.verification_uri ?? '').searchParams.get('return_to') ?? '';
    expect(stored).not.toContain(link.slice(link.indexOf('cat_')));
  });

  it('forgets what is over, and nothing else', async () => {
    const h = await Harness.start({ db: await database() });
    const DAY = 86_400_000;
    for (let day = 0; day < 30; day += 1) {
      await h.register({ type: 'anonymous' });
      await h.exchange((await h.register({ type: 'anonymous' })).body['identity_assertion']);
      h.clock.advance(DAY);
    }
    const db = await database();
    const count = async (table: string) =>
      db.transaction(async (tx) =>
        Number((await tx.get(`SELECT COUNT(*) AS n FROM ${table}`))?.['n']),
      );
    expect(await count('registrations')).toBe(2 * 8);
    expect(await count('access_tokens')).toBe(1);
  });

  it('forgets without anybody registering anew', async () => {
    const h = await Harness.start({ db: await database() });
    for (let round = 0; round < 20; round += 1) {
      const assertion = await h.provider.idJag();
      const { body } = await h.register({ type: 'identity_assertion', assertion });
      await h.exchange(body['identity_assertion']);
      h.clock.advance(3 * 3_600_000);
    }
    const db = await database();
    for (const table of ['used_jtis', 'assertions', 'access_tokens']) {
      const row = await db.transaction((tx) => tx.get(`SELECT COUNT(*) AS n FROM ${table}`));
      expect(Number(row?.['n']), table).toBeLessThan(3);
    }
  });
});
