import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/index.ts';
import { NOT_IN } from '../../src/mock-service/faults/not-in.ts';
import { createMockService, type MockServiceOptions } from '../../src/mock-service/index.ts';
import { FakeClock, SeededRandom, silentLog } from '../../src/runtime/index.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';
const ABSENT = NOT_IN.nested?.[0]?.faults[0] ?? '';

async function start(options: Partial<MockServiceOptions> = {}) {
  const service = await createMockService({
    baseUrl: 'http://127.0.0.1:4800',
    clock: new FakeClock(Date.UTC(2026, 0)),
    random: new SeededRandom(1),
    fetch: async () => new Response(null, { status: 404 }),
    log: silentLog,
    control: { token: TOKEN },
    ...options,
  });
  const ask = async (path: string, body?: object) => {
    const response = await service.fetch(
      new Request(`http://127.0.0.1:4800${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  /** What its metadata shows of the dialect. */
  const spoken = async () => {
    const { body } = await ask('/.well-known/oauth-authorization-server');
    // Where the agent hands the code in, there is no grant to poll with.
    return JSON.stringify(body['grant_types_supported']).includes(':grant-type:claim')
      ? 'flat'
      : 'nested';
  };
  return { ask, service, spoken };
}

describe('the dialect of a running mock service', () => {
  it('is another one from the next request on, for each replica, until the reset', async () => {
    const db = await openDatabase();
    const [one, other] = [await start({ db }), await start({ db })];
    expect([await one.spoken(), await other.spoken()]).toEqual(['flat', 'flat']);
    expect(await one.ask('/__mock/dialect', { dialect: 'nested' })).toEqual({
      status: 200,
      body: { dialect: 'nested', dialects: ['flat', 'nested', 'first'] },
    });
    expect([await one.spoken(), await other.spoken()]).toEqual(['nested', 'nested']);
    const registered = await one.ask('/agent/identity', { type: 'anonymous' });
    expect(registered.status).toBe(200);
    await other.service.controls.reset();
    expect([await one.spoken(), await other.spoken()]).toEqual(['flat', 'flat']);
    await db.close();
  });

  it('is kept over a restart, unless that names one', async () => {
    const db = await openDatabase();
    await (await start({ db })).service.controls.setDialect('nested');
    expect(await (await start({ db })).spoken()).toBe('nested');
    expect(await (await start({ db, dialect: 'flat' })).spoken()).toBe('flat');
    expect(await (await start({ db })).spoken()).toBe('flat');
    await db.close();
  });

  it('takes along what is wrong with it, as far as the other one can have that', async () => {
    const { ask, service } = await start({ faults: [ABSENT, 'noSlowDown'] });
    expect((await service.controls.state()).faults).toContain(ABSENT);
    await service.controls.setDialect('nested');
    const { faults, knownFaults } = await service.controls.state();
    expect([faults.includes(ABSENT), knownFaults.includes(ABSENT)]).toEqual([false, false]);
    const refused = await ask('/__mock/faults', { faults: [ABSENT] });
    expect([refused.status, refused.body['error_description']]).toEqual([
      400,
      expect.stringContaining('is not in the dialect nested'),
    ]);
    await service.controls.setDialect('flat');
    await service.controls.setFaults([ABSENT]);
    expect((await service.controls.state()).faults).toEqual([ABSENT]);
  });

  it('keeps quirks where they fit, and takes no other name', async () => {
    const { ask, service, spoken } = await start({ quirks: ['epoch-seconds'] });
    await service.controls.setDialect('nested');
    expect(await spoken()).toBe('nested');
    const wrong = await ask('/__mock/dialect', { dialect: 'nestd' });
    expect([wrong.status, wrong.body['error_description']]).toEqual([
      400,
      'Did you mean nested? Use flat, nested, first.',
    ]);
    expect((await ask('/__mock/dialect', {})).status).toBe(400);
    expect((await ask('/__mock/dialect')).body['dialect']).toBe('nested');
  });

  it('goes on with registrations and their tokens', async () => {
    const { ask, service } = await start();
    const { body } = await ask('/agent/identity', {
      type: 'service_auth',
      login_hint: 'b@example.com',
    });
    await service.controls.setDialect('nested');
    const id = String(body['registration_id']);
    expect((await service.controls.revoke(id)).state).toBe('revoked');
    await expect(service.controls.revoke('reg_unknown')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
