import { beforeEach, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/runtime/index.ts';
import { BASE } from '../harness.ts';
import { Directory } from './support.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';
const ORDERS = {
  service_id: 400,
  service_name: 'orders',
  service_url: '/v2/orders',
  methods: [{ method_id: 4001, method_url: '/list.{format}' }],
};
const ORDERS_HERE = { ...ORDERS, service_url: `${BASE}/v2/orders` };

let directory: Directory;
beforeEach(async () => {
  directory = await Directory.start({ control: { token: TOKEN } });
});

const controls = () => directory.h.service.controls;
const ids = async () => (await directory.services()).data.map(({ service_id }) => service_id);

async function control(path: string, body?: unknown) {
  const response = await directory.h.service.fetch(
    new Request(`http://127.0.0.1:4800/__mock/directory${path}`, {
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the controls of the directory', () => {
  it('add a service, which is listed and answers at once, also at another process', async () => {
    const replica = await Directory.start({ db: directory.db, random: new SeededRandom(2) });
    expect(await controls().addDirectoryService(ORDERS)).toEqual(ORDERS_HERE);
    expect((await replica.services()).data.at(-1)).toEqual(ORDERS_HERE);
    expect((await replica.ask('/v2/orders/list.json')).meta.method_id).toBe(4001);
    expect((await controls().directory()).at(-1)).toEqual(ORDERS_HERE);
  });

  it('change the members that are given, null as well, and leave the others', async () => {
    await controls().addDirectoryService(ORDERS);
    expect(await controls().setDirectoryService(400, { service_name: null })).toEqual({
      ...ORDERS_HERE,
      service_name: null,
    });
    const changed = await controls().setDirectoryService(400, {
      service_id: 401,
      service_url: `${BASE}/v2/more`,
      methods: [{ method_id: 4001, method_url: null }, { method_url: '/{id}.{format}' }],
    });
    expect(changed).toEqual({
      service_id: 401,
      service_name: null,
      service_url: `${BASE}/v2/more`,
      methods: [
        { method_id: 4001, method_url: null },
        { method_id: null, method_url: '/{id}.{format}' },
      ],
    });
    expect((await directory.ask('/v2/more/7.json')).status).toBe(401);
    expect((await directory.ask('/v2/orders/list.json')).status).toBe(404);
    expect((await controls().setDirectoryService(401, { methods: null })).methods).toBeNull();
  });

  it('keep the alias of a method that is not changed', async () => {
    await controls().setDirectoryService('foodservices', { service_name: 'food' });
    expect((await directory.ask('/v2/foodservices/watcard.json')).meta.method_id).toBe(1289);
  });

  it('remove a service with its methods, by id or by name', async () => {
    expect(await controls().removeDirectoryService('buildings')).toMatchObject({ service_id: 257 });
    await controls().removeDirectoryService(241);
    expect(await ids()).toEqual([223, 227, 229, 239, 269]);
    expect((await directory.ask('/v2/buildings/list.json')).status).toBe(404);
    const { text } = await directory.ask('/v2/api/methods.json');
    expect(text).not.toContain('examschedule');
  });

  it('take a number for a name where no service has it as its id', async () => {
    await controls().addDirectoryService({ service_name: '2024' });
    expect(await controls().removeDirectoryService(2024)).toMatchObject({ service_name: '2024' });
  });

  it('are undone by a reset', async () => {
    await controls().addDirectoryService(ORDERS);
    await controls().removeDirectoryService('api');
    await controls().reset();
    expect(await ids()).toEqual([223, 227, 229, 239, 241, 257, 269]);
  });

  it('are in the audit trail, each once, and a refused one is not', async () => {
    await controls().addDirectoryService(ORDERS);
    await controls().setDirectoryService(400, { service_name: null });
    await controls().removeDirectoryService(400);
    await expect(controls().removeDirectoryService(400)).rejects.toThrow('not_found');
    const entries = await controls().audit();
    expect(entries.map(({ action, actor, detail }) => [action, actor, detail])).toEqual([
      ['directory.added', 'control', { service_id: 400, service: 'orders' }],
      ['directory.changed', 'control', { service_id: 400 }],
      ['directory.removed', 'control', { service_id: 400 }],
    ]);
  });

  it('do one of two changes that cannot both be', async () => {
    const added = await Promise.allSettled([
      controls().addDirectoryService(ORDERS),
      controls().addDirectoryService({ ...ORDERS, methods: null }),
    ]);
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await ids()).filter((id) => id === 400)).toHaveLength(1);
  });
});

describe('over HTTP', () => {
  it('show, add, change and remove', async () => {
    const { body } = await control('');
    expect(body['services']).toHaveLength(7);
    expect(await control('/add', ORDERS)).toEqual({ status: 200, body: ORDERS_HERE });
    const changed = { ...ORDERS_HERE, service_url: null };
    expect(await control('/set', { service: 'orders', service_url: null })).toEqual({
      status: 200,
      body: changed,
    });
    expect(await control('/remove', { service: 400 })).toEqual({ status: 200, body: changed });
    expect(await control('')).toEqual({ status: 200, body });
  });

  it.each<[string, unknown, number, string, string]>([
    ['/add', { nam: 1 }, 400, 'invalid_request', 'nam: there is no such member'],
    ['/add', { service_id: '4' }, 400, 'invalid_request', "service_id cannot be '4'"],
    ['/add', { service_url: '/login' }, 400, 'invalid_request', 'the mock answers /login itself'],
    [
      '/add',
      { methods: [{ method_url: '/x' }] },
      400,
      'invalid_request',
      "methods.0.method_url cannot be '/x'",
    ],
    ['/add', { service_id: 223 }, 409, 'conflict', 'service_id: 223 is the id of another service'],
    [
      '/add',
      { methods: [{ method_id: 1289 }] },
      409,
      'conflict',
      'methods.0.method_id: 1289 is the id of another method',
    ],
    ['/set', { service: 223, service_id: 227 }, 409, 'conflict', '227 is the id of another'],
    ['/set', { service_id: 1 }, 400, 'invalid_request', 'service must be the id or the name'],
    ['/set', { service: 1, service_id: 2 }, 404, 'not_found', 'no service 1'],
    ['/remove', { service: 'none' }, 404, 'not_found', "no service 'none'"],
    ['/remove', { service: 'bildings' }, 404, 'not_found', 'Did you mean buildings?'],
    ['/remove', {}, 400, 'invalid_request', 'service must be the id or the name'],
  ])('refuse %s %j: %i %s', async (path, sent, status, error, text) => {
    const answer = await control(path, sent);
    expect([answer.status, answer.body['error']]).toEqual([status, error]);
    expect(answer.body['error_description']).toContain(text);
    expect(await ids()).toEqual([223, 227, 229, 239, 241, 257, 269]);
  });

  it('refuses a name that several services have', async () => {
    await controls().addDirectoryService({ service_name: 'api' });
    const { status, body } = await control('/remove', { service: 'api' });
    expect([status, body['error_description']]).toEqual([
      409,
      "Several services are 'api'. Use an id.",
    ]);
  });
});
