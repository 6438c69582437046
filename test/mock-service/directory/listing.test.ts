import { beforeEach, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/runtime/index.ts';
import { BASE } from '../harness.ts';
import {
  Directory,
  type MethodEntry,
  PUBLISHED_BASE,
  published,
  publishedText,
  type ServiceEntry,
} from './support.ts';

let directory: Directory;
beforeEach(async () => {
  directory = await Directory.start();
});

/** What was published, as a service at our base URL publishes it, with the path of the specification. */
const hereAsText = (text: string) =>
  text.replaceAll(PUBLISHED_BASE, BASE).replaceAll('/watcard.', '/card.');

function here<T>(value: T): T {
  return JSON.parse(hereAsText(JSON.stringify(value))) as T;
}

describe('the listing', () => {
  it('is the published one with the paths of the specification: 7 services, 35 methods, ids, names, URLs [SD-DOES-1] [SD-ENV-2]', async () => {
    const { data } = await directory.services();
    expect(data).toEqual(here(published('services.json').data));
    expect(data).toHaveLength(7);
    expect(data.flatMap(({ methods }) => methods)).toHaveLength(35);
  });

  it.each(['/api/services.json', '/v2/api/services.json'])(
    'answers %s without a key, as JSON that nobody keeps [SD-AUTH-1] [SD-LIMIT-1] [SD-PARAM-1]',
    async (path) => {
      const { headers, meta, status } = await directory.ask(path);
      expect([status, meta.status]).toEqual([200, 200]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('says of the request what was published, in that order [SD-ENV-1]', async () => {
    const answer = JSON.parse((await directory.services()).text) as Record<string, object>;
    expect(Object.keys(answer)).toEqual(['meta', 'data']);
    expect(Object.keys(answer['meta'] ?? {})).toEqual(Object.keys(published('services.json').meta));
  });

  it('is set like the published file, byte for byte but for the count, the time and the base', async () => {
    const { meta, text } = await directory.services();
    const sample = hereAsText(publishedText('services.json'))
      .replace('"requests": 3798', `"requests": ${meta.requests}`)
      .replace('"timestamp": 1381933867', `"timestamp": ${meta.timestamp}`);
    expect(text).toBe(sample.trimEnd());
  });

  it('gives the time in seconds [SD-META-2]', async () => {
    const { meta } = await directory.services();
    expect(meta.timestamp).toBe(Math.floor(directory.h.clock.now() / 1000));
  });

  it('says success by status and in words [SD-META-3] [SD-META-4] [SD-ERR-1]', async () => {
    const { meta } = await directory.services();
    expect(meta).toMatchObject({ status: 200, message: 'Request successful' });
  });

  it('is method 1081 of service 223, for GET alone [SD-DOES-4] [SD-META-5]', async () => {
    const { data, meta } = await directory.services();
    expect(meta.method_id).toBe(1081);
    const own = data.find(({ service_id }) => service_id === 223);
    expect(own).toMatchObject({ service_name: 'api' });
    expect(own?.methods).toContainEqual({ method_id: 1081, method_url: '/services.{format}' });
    const posted = await directory.ask('/api/services.json', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('gives the version as a number, and nothing about the method [SD-META-6] [SD-META-7]', async () => {
    const { meta } = await directory.services();
    expect(meta.version).toBe(2.07);
    expect(meta.method).toEqual({});
  });

  it('has its version in the path, too [SD-VER-1]', async () => {
    const { data, meta } = await directory.ask<readonly ServiceEntry[]>('/v2/api/services.json');
    expect(Math.floor(meta.version)).toBe(2);
    for (const { service_url } of data) expect(service_url).toMatch(`${BASE}/v2/`);
  });

  it.each([
    ['SD-CAT-1', 'api', '/services /usage /methods /versions /changelog'],
    ['SD-CAT-2', 'server', '/time /codes /admin'],
    [
      'SD-CAT-3',
      'resources',
      '/printers /infosessions /academics/groups /academics/organizations /academics/subjects /academics/terms /academics/instructions',
    ],
    [
      'SD-CAT-4',
      'courses',
      '/{department} /{department}/{number} /{department}/{number}/schedule /{subject}/{number}/prerequisites',
    ],
    ['SD-CAT-5', 'terms', '/{term}/examschedule /{term}/{subject}/{number}/schedule'],
    ['SD-CAT-6', 'buildings', '/list /{building} /{building}/{room}/courses'],
    [
      'SD-CAT-7',
      'foodservices',
      '/products/{id} /products/search /outlets /card /{year}/{week}/{id}/menu /{year}/{week}/{id}/notes /{year}/{week}/{id}/announcements /menu /notes /announcements /diets',
    ],
  ])('[%s] has under %s: %s', async (_row, name, paths) => {
    const { data } = await directory.services();
    const service = data.find(({ service_name }) => service_name === name);
    expect(service?.service_url).toBe(`${BASE}/v2/${name}`);
    expect(service?.methods?.map(({ method_url }) => method_url)).toEqual(
      paths.split(' ').map((path) => `${path}.{format}`),
    );
  });

  it('has `/card` as method 1289 of `foodservices`, which the published API spells `/watcard` [SD-CAT-7]', async () => {
    const { text, data } = await directory.services();
    expect(data.find(({ service_id }) => service_id === 269)?.methods).toContainEqual({
      method_id: 1289,
      method_url: '/card.{format}',
    });
    expect(text).not.toContain('watcard');
    const { text: methods } = await directory.ask('/v2/api/methods.json');
    expect(methods).toContain(`${BASE}/v2/foodservices/card.{format}`);
    expect(methods).not.toContain('watcard');
  });

  it('types what it lists: ids are integers, names and URLs are text [SD-SERVICE-1] [SD-SERVICE-2] [SD-SERVICE-3] [SD-SERVICE-4] [SD-METHOD-1] [SD-METHOD-2]', async () => {
    const { data } = await directory.services();
    for (const { methods, service_id, service_name, service_url } of data) {
      expect(service_id).toSatisfy(Number.isInteger);
      expect(service_url).toBe(`${BASE}/v2/${service_name}`);
      expect(methods?.length).toBeGreaterThan(0);
      for (const { method_id, method_url } of methods ?? []) {
        expect(method_id).toSatisfy(Number.isInteger);
        expect(method_url).toMatch(/^\/.+\.\{format\}$/);
      }
    }
    const ids = data.flatMap(({ methods }) => methods ?? []).map(({ method_id }) => method_id);
    expect(new Set(ids).size).toBe(35);
  });
});

it('is live: what another process changed shows in the next answer [SD-DOES-2]', async () => {
  await directory.services();
  const { controls } = await Directory.start({ db: directory.db, random: new SeededRandom(2) });
  await controls.setDirectoryService(257, { service_name: 'houses' });
  await controls.setDirectoryService('terms', {
    methods: [{ method_id: 1187, method_url: '/{term}/examschedule.{format}' }],
  });
  await controls.addDirectoryService({ service_id: 230, service_name: 'new' });
  const { data } = await directory.services();
  expect(data.map(({ service_id }) => service_id)).toEqual([
    223, 227, 229, 230, 239, 241, 257, 269,
  ]);
  expect(data.find(({ service_id }) => service_id === 257)?.service_name).toBe('houses');
  expect(data.flatMap(({ methods }) => methods ?? [])).toHaveLength(34);
});

describe('the count of requests', () => {
  it('is raised by each successful call, whatever its method [SD-META-1]', async () => {
    expect((await directory.services()).meta.requests).toBe(1);
    expect((await directory.ask('/v2/server/time.json')).meta.requests).toBe(2);
    await directory.send('/v2/api/services.xml');
    expect((await directory.services()).meta.requests).toBe(4);
  });

  it('stays where no data is returned [SD-DOES-3]', async () => {
    directory = await Directory.start({ directory: { services: [] } });
    await directory.ask('/v2/server/time.json');
    const { data, meta, status } = await directory.services();
    expect(status).toBe(200);
    expect(meta).toMatchObject({ requests: 1, status: 204, message: 'No data returned' });
    expect(data).toEqual([]);
    await directory.ask('/v2/nothing/here.json');
    await directory.send('/v2/server/time.json', { method: 'HEAD' });
    expect((await directory.ask('/v2/api/versions.json')).meta.requests).toBe(2);
  });

  it('loses none of many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => directory.services()));
    expect(answers.map(({ meta }) => meta.requests).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
  });
});

describe('the other open methods', () => {
  it.each([
    ['versions [SD-VER-2]', 1109, '/v2/api/versions', 'versions.json'],
    ['changelog [SD-VER-2]', 1117, '/v2/api/changelog', 'changelog.json'],
    ['codes', 1091, '/v2/server/codes', 'server-codes.json'],
  ])('answer as published: %s', async (_name, id, path, sample) => {
    const { data, meta, status } = await directory.ask(`${path}.json`);
    expect([status, meta.status, meta.method_id]).toEqual([200, 200, id]);
    // As text: the order of the members is published, too.
    expect(JSON.stringify(data)).toBe(JSON.stringify(published(sample).data));
  });

  it('answer as published: methods, each under the service that lists it', async () => {
    const { data, meta } = await directory.ask('/v2/api/methods.json');
    const { data: services } = published<readonly ServiceEntry[]>('services.json');
    const idOf = new Map(services.map((each) => [each.service_name, each.service_id]));
    // Five of the published entries name service 263, which the listing of that day does not have.
    const sample = published<readonly { readonly service_name: string }[]>('methods.json').data;
    const expected = sample.map((each) => ({ ...each, service_id: idOf.get(each.service_name) }));
    expect(meta).toMatchObject({ status: 200, method_id: 1103 });
    expect(JSON.stringify(data)).toBe(JSON.stringify(here(expected)));
  });

  it('tell the time of the mock', async () => {
    const { clock } = directory.h;
    clock.advance(Date.UTC(2013, 9, 16, 15, 0, 32, 500) - clock.now());
    const { data, meta } = await directory.ask('/v2/server/time.json');
    expect(meta.method_id).toBe(1087);
    expect(data).toEqual({
      timestamp: 1381935632,
      datetime: '2013-10-16T15:00:32+00:00',
      timezone: 'UTC',
      key_reset_time: null,
    });
    expect(Object.keys(data as object)).toEqual(
      Object.keys(published<object>('server-time.json').data),
    );
  });

  it('agree with the listing: every id, and every URL put together', async () => {
    const { data: services } = await directory.services();
    const { data: methods } =
      await directory.ask<readonly (MethodEntry & { parameters: string[] })[]>(
        '/v2/api/methods.json',
      );
    const listed = services.flatMap(({ methods: own, service_url }) =>
      (own ?? []).map(({ method_id, method_url }) => [method_id, `${service_url}${method_url}`]),
    );
    expect(new Map(methods.map((each) => [each.method_id, each.method_url]))).toEqual(
      new Map(listed as [number, string][]),
    );
    for (const { method_url, parameters } of methods) {
      expect([...(method_url ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(
        parameters,
      );
    }
  });
});
