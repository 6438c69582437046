import { beforeEach, describe, expect, it } from 'vitest';
import { findChallenge } from '../../../src/protocol/index.ts';
import { foldXml, readXml } from '../../support/read-xml.ts';
import { BASE } from '../harness.ts';
import { bearer, Directory, published, type ServiceEntry } from './support.ts';

let directory: Directory;
beforeEach(async () => {
  directory = await Directory.start();
});

const LIST = '/v2/buildings/list.json';
const OPEN = [1081, 1103, 1109, 1117, 1087, 1091];

/** A path of each protected entry of the catalog, with its id. */
const PROTECTED = published<readonly ServiceEntry[]>('services.json').data.flatMap(
  ({ methods, service_name }) =>
    (methods ?? [])
      .filter(({ method_id }) => !OPEN.includes(method_id ?? 0))
      .map(({ method_id, method_url }): [string, number] => [
        `/v2/${service_name}${method_url}`
          .replace('{format}', 'json')
          .replaceAll(/\{\w+\}/g, '2013'),
        method_id ?? 0,
      ]),
);

const challengeOf = ({ headers }: { readonly headers: Headers }) =>
  findChallenge(headers.get('www-authenticate') ?? '', 'Bearer')?.params;

describe('an entry of the catalog', () => {
  it('are 29 that need a token', () => {
    expect(PROTECTED).toHaveLength(29);
  });

  it.each(PROTECTED)('%s is method %i and asks for a token', async (path, id) => {
    const answer = await directory.ask(path);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    expect(challengeOf(answer)).toEqual({
      resource_metadata: `${BASE}/.well-known/oauth-protected-resource${path}`,
    });
    expect(answer.meta).toMatchObject({
      requests: -1,
      status: 511,
      message: 'API key is required (?key=)',
      method_id: id,
    });
    expect(answer.data).toEqual({});
  });

  it.each(['Bearer at_unknown', 'Bearer not a token', 'Bearer '])(
    'says invalid_token to %s',
    async (authorization) => {
      const answer = await directory.ask(LIST, { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(challengeOf(answer)?.['error']).toBe('invalid_token');
      expect(answer.meta).toMatchObject({ status: 401, message: 'Invalid API key' });
    },
  );

  it('has no data behind it: 204 in the envelope, over 200, not counted', async () => {
    const answer = await directory.ask(LIST, bearer(await directory.token()));
    expect(answer.status).toBe(200);
    expect(answer.meta).toMatchObject({
      requests: 0,
      status: 204,
      message: 'No data returned',
      method_id: 1213,
    });
    expect(answer.data).toEqual([]);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('is answered in XML, too, refused or not', async () => {
    const path = '/v2/buildings/list.xml';
    const refused = await directory.send(path);
    expect(refused.status).toBe(401);
    expect(foldXml(readXml(await refused.text()))).toMatchObject({ meta: { status: '511' } });
    const taken = await directory.send(path, bearer(await directory.token()));
    expect(foldXml(readXml(await taken.text()))).toMatchObject({
      meta: { status: '204' },
      data: '',
    });
  });

  it('refuses a token without api.read, and names the scope', async () => {
    const body = await directory.h.claimedAnonymous();
    const tokens = await directory.h.collect(body['claim_token']);
    const { body: narrowed } = await directory.h.exchange(tokens['identity_assertion'], {
      scope: 'api.write',
    });
    const answer = await directory.ask(LIST, bearer(String(narrowed['access_token'])));
    expect(answer.status).toBe(403);
    expect(challengeOf(answer)).toMatchObject({ error: 'insufficient_scope', scope: 'api.read' });
    expect(answer.meta).toMatchObject({
      status: 403,
      message: 'The provided API key has been banned',
      method_id: 1213,
    });
  });

  it('takes a token that is bound to it, and none that is bound elsewhere', async () => {
    const here = await directory.token({ resource: BASE + LIST });
    expect((await directory.ask(LIST, bearer(here))).status).toBe(200);
    expect((await directory.ask('/v2/buildings/MC.json', bearer(here))).status).toBe(401);
    const elsewhere = await directory.token({ resource: `${BASE}/api/resource` });
    expect((await directory.ask(LIST, bearer(elsewhere))).status).toBe(401);
    const all = await directory.token({ resource: `${BASE}/v2` });
    expect((await directory.ask(LIST, bearer(all))).status).toBe(200);
  });

  it('answers at the path that was published for `/card`, too, as the same method', async () => {
    const token = bearer(await directory.token());
    for (const path of ['/v2/foodservices/card.json', '/v2/foodservices/watcard.json']) {
      expect((await directory.ask(path)).meta).toMatchObject({ status: 511, method_id: 1289 });
      expect((await directory.ask(path, token)).meta).toMatchObject({
        requests: 0,
        status: 204,
        method_id: 1289,
      });
      const metadata = `/.well-known/oauth-protected-resource${path}`;
      expect((await directory.h.send('GET', metadata)).body['resource']).toBe(BASE + path);
    }
  });

  it.each([
    ['/v2/buildings/list.json', 1213],
    ['/v2/buildings/listing.json', 1217],
    ['/v2/foodservices/products/search.json', 1279],
    ['/v2/foodservices/products/7.json', 1277],
    ['/v2/courses/ECE.json', 1153],
    ['/v2/courses/ECE/100.json', 1163],
    ['/v2/courses/ECE/100/schedule.json', 1171],
    ['/v2/courses/ECE/100/prerequisites.json', 1181],
    ['/v2/courses/AF%20M/%C3%A9.json', 1163],
    ['/v2/terms/1139/ECE/100/schedule.json', 1193],
  ])('is found by its template: %s is method %i', async (path, id) => {
    expect((await directory.ask(path)).meta.method_id).toBe(id);
  });
});

it('an entry is what the catalog says now', async () => {
  const set = (members: object) => directory.controls.setDirectoryService('buildings', members);
  await set({ methods: [{ method_id: 1213, method_url: '/all.{format}' }] });
  expect((await directory.ask('/v2/buildings/all.json')).meta.method_id).toBe(1213);
  expect((await directory.ask(LIST)).status).toBe(404);
  await set({ service_url: '/v2/houses' });
  expect((await directory.ask('/v2/buildings/all.json')).status).toBe(404);
  expect((await directory.ask('/v2/houses/all.json')).status).toBe(401);
  await set({ methods: [{ method_id: null, method_url: '/all.{format}' }] });
  expect((await directory.ask('/v2/houses/all.json')).meta.method_id).toBeNull();
  await set({ methods: [{ method_id: 1213, method_url: null }] });
  expect((await directory.ask('/v2/houses/all.json')).status).toBe(404);
});

describe('the metadata of an entry', () => {
  it.each([LIST, '/v2/courses/AF%20M.json', '/v2/api/usage.xml'])(
    'names exactly the resource of its own URL: %s',
    async (path) => {
      const { body, headers, status } = await directory.h.send(
        'GET',
        `/.well-known/oauth-protected-resource${path}?q=1`,
      );
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(body).toMatchObject({ resource: BASE + path, authorization_servers: [BASE] });
    },
  );

  it.each(['/v2/api/services.json', '/v2/nothing/list.json', '/v2/buildings/list', '/v2'])(
    'exists for what is protected alone, not for %s',
    async (path) => {
      const { body, status } = await directory.h.send(
        'GET',
        `/.well-known/oauth-protected-resource${path}`,
      );
      expect([status, body['error']]).toEqual([404, 'not_found']);
    },
  );
});
