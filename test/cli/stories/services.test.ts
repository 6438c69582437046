import { describe, expect, it } from 'vitest';
import { StoreBusyError } from '../../../src/mock/store/database.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { machineWithService, registered, SERVICE, shell } from '../support/mocks.ts';
import { type Handler, newMachine } from '../support/run-cli.ts';

const ELSEWHERE = 'http://127.0.0.1:9';

/** A machine on which something else answers where a directory is looked for. */
function elsewhere(handler: Handler) {
  const machine = newMachine();
  machine.servers.set(ELSEWHERE, handler);
  return shell(machine);
}

const listing = (data: unknown, meta: object = {}) =>
  Response.json({ meta: { status: 200, ...meta }, data });

describe('services', () => {
  it('is a table of every service, with how many methods it has and where it is', async () => {
    const run = shell(await machineWithService());
    const { code, stdout, stderr } = await run(`services ${SERVICE}`);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'id   service       methods  url',
        `223  api           5        ${SERVICE}/v2/api`,
        `227  server        3        ${SERVICE}/v2/server`,
        `229  resources     7        ${SERVICE}/v2/resources`,
        `239  courses       4        ${SERVICE}/v2/courses`,
        `241  terms         2        ${SERVICE}/v2/terms`,
        `257  buildings     3        ${SERVICE}/v2/buildings`,
        `269  foodservices  11       ${SERVICE}/v2/foodservices`,
        '',
      ].join('\n'),
    );
    expect(stderr).toContain(
      '7 services, 35 methods. Their paths: agent-auth services http://127.0.0.1:4800 --format json',
    );
  });

  it('needs no registration, and goes to the service used last', async () => {
    const { run } = await registered();
    expect((await run('services')).stdout).toContain('foodservices');
    expect((await shell(newMachine())('services')).code).toBe(2);
  });

  it.each(['json', 'xml'])('prints the answer as served, byte for byte: %s', async (format) => {
    const machine = await machineWithService();
    let served = '';
    const service = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, async (request) => {
      const response = (await service?.(request)) ?? new Response();
      served = await response.clone().text();
      return response;
    });
    const run = shell(machine);
    const { code, stdout, stderr } = await run(`services ${SERVICE} --format ${format}`);
    expect([code, stderr]).toEqual([0, '']);
    expect(served).toContain('foodservices');
    expect(stdout).toBe(served);
    const onTerminal = await run(`services ${SERVICE} --format ${format}`, { tty: true });
    expect(onTerminal.streams.stdout.raw.endsWith('\n')).toBe(true);
  });

  it('has a JSON form', async () => {
    const run = shell(await machineWithService());
    const [result] = (await run(`services ${SERVICE} --json`)).json();
    expect(result).toMatchObject({
      schema: 'agent-auth.services/1',
      url: `${SERVICE}/api/services.json`,
      version: 2.07,
      requests: 1,
      timestamp: expect.any(Number),
    });
    const { services } = result as { services: readonly { methods: readonly object[] }[] };
    expect(services).toHaveLength(7);
    expect(services[5]).toEqual({
      service_id: 257,
      service_name: 'buildings',
      service_url: `${SERVICE}/v2/buildings`,
      methods: expect.arrayContaining([{ method_id: 1213, method_url: '/list.{format}' }]),
    });
  });

  it('takes one form of the answer at a time: exit 2', async () => {
    const run = shell(await machineWithService());
    expect((await run(`services ${SERVICE} --format xml --json`)).code).toBe(2);
    expect((await run(`services ${SERVICE} --format yaml`)).code).toBe(2);
  });

  it('keeps a path that the URL has', async () => {
    const run = elsewhere(({ url }) =>
      url === `${ELSEWHERE}/v2/api/services.json`
        ? listing([])
        : new Response(null, { status: 404 }),
    );
    expect((await run(`services ${ELSEWHERE}/v2/`)).code).toBe(0);
  });

  it('says so when nothing is listed', async () => {
    const run = elsewhere(() => listing([], { status: 204, message: 'No data returned' }));
    const { code, stdout } = await run(`services ${ELSEWHERE}`);
    expect([code, stdout]).toEqual([0, 'No services are listed.\n']);
  });
});

describe('services of another party', () => {
  it.each<[what: string, answer: () => Response]>([
    [
      'null in every place',
      () => listing([{ service_id: null, service_name: null, service_url: null, methods: null }]),
    ],
    ['members that are missing', () => listing([{}])],
    ['no data at all', () => Response.json({ meta: { status: 200 } })],
    ['null as data', () => listing(null)],
    [
      'null in the meta',
      () =>
        listing([], {
          requests: null,
          timestamp: null,
          message: null,
          method_id: null,
          version: null,
          method: null,
        }),
    ],
    ['an empty list as meta.method, and no version', () => listing([], { method: [] })],
    [
      'ids as text',
      () =>
        listing([{ service_id: '7', methods: [{ method_id: '1', method_url: '/x.{format}' }] }]),
    ],
    [
      'members that nobody knows',
      () => listing([{ service_id: 1, more: { x: 1 } }], { more: true }),
    ],
  ])('may have %s', async (_what, answer) => {
    const run = elsewhere(answer);
    expect((await run(`services ${ELSEWHERE}`)).code).toBe(0);
    expect((await run(`services ${ELSEWHERE} --json`)).json()[0]).toHaveProperty('services');
  });

  it('cannot write to the terminal with its names', async () => {
    const name = 'a\u001b[31mred\u001b]0;title\u0007\u202e\n\tb';
    const run = elsewhere(() =>
      listing([{ service_id: 1, service_name: name, service_url: `${name}x`, methods: [] }]),
    );
    const { streams } = await run(`services ${ELSEWHERE}`);
    const [, row = ''] = streams.stdout.raw.split('\n');
    expect(row).toBe('1   ared b   0        ared bx');
  });

  it.each<[what: string, code: string, exit: number, answer: () => Response]>([
    ['a 404', 'not_a_directory', 1, () => new Response('no', { status: 404 })],
    [
      'a page',
      'not_a_directory',
      1,
      () => new Response('<h1>hi</h1>', { headers: { 'content-type': 'text/html' } }),
    ],
    [
      'JSON that is none',
      'not_a_directory',
      1,
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
    ],
    ['other JSON', 'not_a_directory', 1, () => Response.json({ hello: 1 })],
    ['data of another kind', 'not_a_directory', 1, () => listing([{ service_id: {} }])],
    [
      'a redirect',
      'not_a_directory',
      1,
      () => new Response(null, { status: 302, headers: { location: '/x' } }),
    ],
    ['a wish for a token', 'directory_refused', 5, () => new Response(null, { status: 401 })],
    [
      'a refusal inside of a 200',
      'directory_refused',
      5,
      () => listing({}, { status: 511, message: 'API key is required (?key=)' }),
    ],
    ['trouble', 'server_error', 7, () => new Response(null, { status: 503 })],
  ])('is an error that says what came: %s', async (_what, code, exit, answer) => {
    const run = elsewhere(answer);
    const { code: exited, json } = await run(`services ${ELSEWHERE} --json`);
    expect(exited).toBe(exit);
    expect(json()).toEqual([expect.objectContaining({ error: expect.objectContaining({ code }) })]);
    const plain = await run(`services ${ELSEWHERE}`);
    expect(plain.code).toBe(exit);
    expect(plain.stdout).toBe('');
    expect(plain.stderr).toContain(ELSEWHERE);
  });

  it('is not printed as served when it is no directory', async () => {
    const run = elsewhere(
      () => new Response('<h1>\u001b[31m</h1>', { headers: { 'content-type': 'text/html' } }),
    );
    for (const format of ['json', 'xml']) {
      const { code, stdout } = await run(`services ${ELSEWHERE} --format ${format}`);
      expect([code, stdout]).toEqual([1, '']);
    }
  });

  it('has to be reached: exit 7', async () => {
    const { code, stderr } = await shell(newMachine())(`services ${ELSEWHERE}`);
    expect(code).toBe(7);
    expect(stderr).toContain('Nothing listens there.');
  });
});

it('shows the trouble of a service whose database is busy: exit 7', async () => {
  const db = await openDatabase();
  const run = shell(await machineWithService({ db }));
  db.transaction = () => Promise.reject(new StoreBusyError());
  expect((await run(`services ${SERVICE}`)).code).toBe(7);
});
