import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import type { DirectoryOption } from '../../../src/mock-service/index.ts';
import { foldXml, readXml } from '../../support/read-xml.ts';
import { BASE } from '../harness.ts';
import { bearer, Directory } from './support.ts';

const ORDERS = {
  service_id: 400,
  service_name: 'orders',
  service_url: '/v2/orders',
  methods: [
    { method_id: 4001, method_url: '/list.{format}' },
    { method_id: 4003, method_url: '/{order}/lines.{format}' },
  ],
};
const ORDERS_HERE = { ...ORDERS, service_url: `${BASE}/v2/orders` };
const NOTHING = { service_id: null, service_name: null, service_url: null, methods: null };

const start = (...services: DirectoryOption['services']) =>
  Directory.start({ directory: { services } });

describe('a directory that is configured', () => {
  it('is listed in place of the published one, by id', async () => {
    const other = { ...NOTHING, service_id: 7, service_url: 'https://api.example.com/else' };
    const directory = await start(ORDERS, other);
    expect((await directory.services()).data).toEqual([other, ORDERS_HERE]);
    expect((await directory.ask('/v2/api/services.json')).data).toEqual([other, ORDERS_HERE]);
  });

  it('is listed as XML and as a script, too', async () => {
    const directory = await start(ORDERS);
    const xml = foldXml(readXml(await (await directory.send('/api/services.xml')).text()));
    expect(JSON.stringify(xml)).toContain('/{order}/lines.{format}');
    const script = await (await directory.send('/api/services.json?callback=show')).text();
    expect(script).toMatch(/^\/\*\*\/show\(/);
    expect(script).toContain('"service_id": 400');
  });

  it('has its methods with whole URLs and the variables of each', async () => {
    const directory = await start(ORDERS);
    expect((await directory.ask('/v2/api/methods.json')).data).toEqual([
      {
        method_id: 4001,
        method_url: `${BASE}/v2/orders/list.{format}`,
        service_id: 400,
        service_name: 'orders',
        parameters: ['format'],
      },
      {
        method_id: 4003,
        method_url: `${BASE}/v2/orders/{order}/lines.{format}`,
        service_id: 400,
        service_name: 'orders',
        parameters: ['order', 'format'],
      },
    ]);
  });

  it('may have null in every place, and null for what is left out [SD-DOES-3] [SD-SERVICE-4]', async () => {
    const directory = await start(
      NOTHING,
      {},
      { methods: [] },
      { methods: [{}, { method_id: null, method_url: null }, { method_id: 1, method_url: null }] },
    );
    const empty = { method_id: null, method_url: null };
    expect((await directory.services()).data).toEqual([
      NOTHING,
      NOTHING,
      NOTHING,
      { ...NOTHING, methods: [empty, empty, { method_id: 1, method_url: null }] },
    ]);
    const { data: methods } = await directory.ask<readonly object[]>('/v2/api/methods.json');
    expect(methods).toHaveLength(3);
    expect(methods[0]).toEqual({
      ...empty,
      service_id: null,
      service_name: null,
      parameters: null,
    });
  });

  it('can have nothing, and says so', async () => {
    const { meta, data } = await (await start()).services();
    expect([meta.status, data]).toEqual([204, []]);
  });

  it('is protected below `/v2`, like the published one', async () => {
    const deep = { ...ORDERS, service_url: '/v2/shop/eu/orders' };
    const directory = await start(deep, { ...NOTHING, service_url: `${BASE}/v2/items` });
    const path = '/v2/shop/eu/orders/7/lines.json';
    const refused = await directory.ask(path);
    expect([refused.status, refused.meta.status, refused.meta.method_id]).toEqual([401, 511, 4003]);
    const token = await directory.token({ resource: BASE + path });
    const { meta } = await directory.ask(path, bearer(token));
    expect([meta.status, meta.method_id]).toEqual([204, 4003]);
    const metadata = `/.well-known/oauth-protected-resource${path}`;
    expect((await directory.h.send('GET', metadata)).body['resource']).toBe(BASE + path);
    expect((await directory.ask('/v2/buildings/list.json')).status).toBe(404);
    expect((await directory.ask('/v2/foodservices/watcard.json')).status).toBe(404);
  });

  it('leaves the methods of the mock itself where they are', async () => {
    const directory = await start(ORDERS);
    expect((await directory.ask('/v2/server/time.json')).meta.method_id).toBe(1087);
    expect((await directory.ask('/v2/api/versions.json')).data).not.toEqual([]);
  });

  it('is restored by a reset', async () => {
    const directory = await start(ORDERS);
    await directory.controls.removeDirectoryService('orders');
    await directory.controls.reset();
    expect((await directory.services()).data).toEqual([ORDERS_HERE]);
  });

  it('keeps what was changed over a restart, until the configuration is another one', async () => {
    const db = await openDatabase();
    const start = (directory?: DirectoryOption) =>
      Directory.start({ db, ...(directory && { directory }) });
    const { controls } = await start({ services: [ORDERS] });
    await controls.setDirectoryService('orders', { service_id: 9 });
    const again = await start({ services: [ORDERS] });
    expect((await again.services()).data).toMatchObject([{ service_id: 9 }]);
    expect((await again.services()).meta.requests).toBe(2);
    const other = await start({ services: [{ ...ORDERS, service_id: 5 }] });
    expect((await other.services()).data).toMatchObject([{ service_id: 5 }]);
    expect((await (await start()).services()).data).toHaveLength(7);
  });

  it.each<[string, unknown, string]>([
    ['no list', {}, 'directory.services cannot be undefined: expected a list of services'],
    ['a member that there is not', { services: [{ nam: 1 }] }, 'directory.services.0.nam'],
    ['an option that there is not', { services: [], x: 1 }, 'directory.x'],
    [
      'text as an id',
      { services: [{ service_id: '1' }] },
      'directory.services.0.service_id cannot be "1": expected null or an id, a whole number.',
    ],
    ['a fraction as an id', { services: [{ service_id: 1.5 }] }, 'service_id cannot be 1.5'],
    ['a number as a name', { services: [{ service_name: 1 }] }, 'service_name cannot be 1'],
    ['U+0000 in a name', { services: [{ service_name: 'a\0' }] }, 'service_name cannot be'],
    ['a long name', { services: [{ service_name: 'ä'.repeat(257) }] }, 'at most 512 bytes'],
    ['text as a service', { services: ['x'] }, 'directory.services.0 cannot be "x"'],
    ['an object as methods', { services: [{ methods: {} }] }, 'a list of methods'],
    ['a query', { services: [{ service_url: '/v2/a?b' }] }, 'a path like /v2/orders'],
    ['a final slash', { services: [{ service_url: '/v2/a/' }] }, 'a path like /v2/orders'],
    ['a dot below /v2', { services: [{ service_url: '/v2/a.b' }] }, 'a path like /v2/orders'],
    ['a relative path', { services: [{ service_url: 'v2/a' }] }, 'or a full URL'],
    ['another scheme', { services: [{ service_url: 'ftp://a.test' }] }, 'or a full URL'],
    ['a password', { services: [{ service_url: 'https://a:b@c.test/x' }] }, 'or a full URL'],
    ['a page of the mock', { services: [{ service_url: '/login' }] }, 'answers /login itself'],
    [
      'an endpoint of the mock as a full URL',
      { services: [{ service_url: `${BASE}/oauth2/token` }] },
      'the mock answers /oauth2/token itself',
    ],
    ['the controls', { services: [{ service_url: '/__mock/x' }] }, 'answers /__mock/x itself'],
    [
      'a method without format',
      { services: [{ methods: [{ method_url: '/list' }] }] },
      'directory.services.0.methods.0.method_url cannot be "/list": expected null or a path like',
    ],
    [
      'another id for a method of the mock',
      {
        services: [
          { service_url: '/v2/api', methods: [{ method_id: 1, method_url: '/services.{format}' }] },
        ],
      },
      'the mock answers /v2/api/services itself, as method 1081',
    ],
    [
      'a service twice',
      { services: [{ service_id: 1 }, { service_id: 1 }] },
      'directory.services.1.service_id cannot be 1: 1 is the id of another service.',
    ],
    [
      'a method twice',
      { services: [{ methods: [{ method_id: 1 }, { method_id: 1 }] }] },
      'directory.services.0.methods.1.method_id cannot be 1: 1 is the id of another method.',
    ],
  ])('cannot have %s', async (_what, directory, message) => {
    const starting = Directory.start({ directory: directory as DirectoryOption });
    await expect(starting).rejects.toThrow(TypeError);
    await expect(Directory.start({ directory: directory as DirectoryOption })).rejects.toThrow(
      message,
    );
  });
});
