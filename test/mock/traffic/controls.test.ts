import { describe, expect, it } from 'vitest';
import { createMockProvider } from '../../../src/mock-provider/index.ts';
import { createMockService, ExchangeLog } from '../../../src/mock-service/index.ts';
import { FakeClock, SeededRandom, silentLog } from '../../../src/runtime/index.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';
const ports = () => ({
  clock: new FakeClock(),
  random: new SeededRandom(),
  log: silentLog,
  control: { token: TOKEN },
  fetch: async () => {
    throw new Error('Nobody is asked.');
  },
});
const service = (options: { exchanges?: number | ExchangeLog } = {}) =>
  createMockService({ ...ports(), baseUrl: 'http://127.0.0.1:4800', ...options });
const provider = (options: { exchanges?: number | ExchangeLog } = {}) =>
  createMockProvider({ ...ports(), baseUrl: 'http://127.0.0.1:4801', ...options });

type Mock = Awaited<ReturnType<typeof service | typeof provider>>;

const get = (mock: Mock, path: string) => mock.fetch(new Request(mock.issuer + path));

async function control(mock: Mock, path: string, method = 'GET') {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await mock.fetch(
    new Request(`${mock.issuer}/__mock${path}`, { method, headers }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const paths = ({ body }: { body: Record<string, unknown> }) =>
  (body['exchanges'] as { path: string }[]).map(({ path }) => path);

describe.each([
  ['service', service],
  ['provider', provider],
] as const)('the exchanges of the mock %s', (name, create) => {
  it('are a library call', async () => {
    const mock = await create();
    expect(await mock.controls.exchanges()).toEqual({ exchanges: [], dropped: 0, latest: 0 });
    await get(mock, '/1');
    await get(mock, '/2');
    const { exchanges, latest } = await mock.controls.exchanges({ since: 1 });
    expect(exchanges).toMatchObject([{ seq: 2, to: name, path: '/2', status: 404 }]);
    expect(latest).toBe(2);
  });

  it('are a control over HTTP, by pages, without the calls of the controls', async () => {
    const mock = await create();
    for (const path of ['/1', '/2', '/3', '/__mock', '/__mock/none']) await get(mock, path);
    expect(paths(await control(mock, '/exchanges'))).toEqual(['/1', '/2', '/3']);
    const page = await control(mock, '/exchanges?since=1&limit=1');
    expect(page.body).toMatchObject({ dropped: 0, latest: 3 });
    expect(page.body['exchanges']).toEqual([
      expect.objectContaining({
        seq: 2,
        to: name,
        at: '2026-01-01T00:00:00.000Z',
        duration_ms: 0,
        registration_id: null,
        path: '/2',
      }),
    ]);
    const { body } = await control(mock, '/exchanges?format=transcript&since=2');
    expect(body).toMatchObject({
      transcript: 1,
      exchanges: [{ to: name, request: { method: 'GET', url: `{${name}}/3` } }],
    });
  });

  it.each(['?since=-1', '?since=x', '?limit=1001', '?format=xml'])('refuse %s', async (query) => {
    const { status, body } = await control(await create(), `/exchanges${query}`);
    expect([status, body['error']]).toEqual([400, 'invalid_request']);
  });

  it('are forgotten by a reset; their numbers go on', async () => {
    const mock = await create();
    await get(mock, '/1');
    await control(mock, '/reset', 'POST');
    await get(mock, '/2');
    expect(await mock.controls.exchanges()).toMatchObject({
      exchanges: [{ seq: 2 }],
      dropped: 0,
    });
  });

  it('are as many as asked for, or none', async () => {
    const few = await create({ exchanges: 1 });
    await get(few, '/1');
    await get(few, '/2');
    expect(await few.controls.exchanges()).toMatchObject({ exchanges: [{ seq: 2 }], dropped: 1 });
    const none = await create({ exchanges: 0 });
    await get(none, '/1');
    await expect(none.controls.exchanges()).rejects.toMatchObject({ code: 'conflict' });
    expect(await control(none, '/exchanges')).toMatchObject({ status: 409 });
    await expect(create({ exchanges: -1 })).rejects.toThrow('exchanges must be a whole number');
  });
});

describe('one log for both mocks', () => {
  it('has one order; a reset of one leaves those of the other', async () => {
    const exchanges = new ExchangeLog();
    const [first, second] = [await service({ exchanges }), await provider({ exchanges })];
    await get(first, '/1');
    await get(second, '/2');
    await get(first, '/3');
    const seen = (await second.controls.exchanges()).exchanges;
    expect(seen.map(({ to, path }) => `${to} ${path}`)).toEqual([
      'service /1',
      'provider /2',
      'service /3',
    ]);
    await first.controls.reset();
    expect((await first.controls.exchanges()).exchanges).toMatchObject([{ seq: 2 }]);
  });

  it('names a secret alike at both, and whose registration it is', async () => {
    const exchanges = new ExchangeLog();
    const [first, second] = [await service({ exchanges }), await provider({ exchanges })];
    const post = (mock: Mock, path: string, body: object) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
      return mock.fetch(new Request(mock.issuer + path, { ...init, body: JSON.stringify(body) }));
    };
    const answer = await post(first, '/agent/identity', { type: 'anonymous' });
    const { claim_token, registration_id } = (await answer.json()) as Record<string, string>;
    await post(second, '/nothing', { claim_token });
    const [registered, other] = exchanges.read().exchanges;
    expect(registered?.response.body).toMatchObject(Object(other?.request.body));
    expect(other?.request.body).toEqual({ claim_token: expect.stringMatching(/^secret~/) });
    expect(other?.registrationId).toBe(registration_id);
  });
});
