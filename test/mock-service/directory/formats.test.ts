import { beforeEach, describe, expect, it } from 'vitest';
import { StoreBusyError } from '../../../src/mock/store/database.ts';
import { foldJson, foldXml, readXml } from '../../support/read-xml.ts';
import { Directory, published, publishedText } from './support.ts';

let directory: Directory;
beforeEach(async () => {
  directory = await Directory.start();
});

const OPEN = [
  '/api/services',
  '/v2/api/services',
  '/v2/api/methods',
  '/v2/api/versions',
  '/v2/api/changelog',
  '/v2/server/time',
  '/v2/server/codes',
];

/** Every status that an answer may say. */
const CODES = published<readonly { code: number; message: string }[]>('server-codes.json').data;

describe('XML', () => {
  it.each(OPEN)('says the same as JSON: %s [SD-PARAM-1]', async (path) => {
    const response = await directory.send(`${path}.xml`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const root = readXml(await response.text());
    expect(root.name).toBe('response');
    expect(root.children.map(({ name }) => name)).toEqual(['meta', 'data']);
    const json = JSON.parse((await directory.ask(`${path}.json`)).text);
    json.meta.requests -= 1;
    expect(foldXml(root)).toEqual(foldJson(json));
  });

  it('is set as the published sample of an error is', async () => {
    const text = await (await directory.send('/v2/courses/ECE.xml')).text();
    const timestamp = Math.floor(directory.h.clock.now() / 1000);
    expect(text).toBe(
      publishedText('error-511-no-key.xml')
        .trimEnd()
        .replace('1370802918', String(timestamp))
        .replace('2.05', '2.07'),
    );
  });

  it('stays well-formed with hostile names in the database, and keeps them whole', async () => {
    const names = [
      'a & b < c > "d" \'e\'',
      ']]>',
      '</response>',
      '&amp; &#38; &bogus; &#0;',
      'a\r\n\tb',
      '\u{1f600} \u2028 \u0085',
      '  ',
      '<!-- x',
      '@attribute',
      '#text',
    ];
    for (const [at, name] of names.entries()) {
      await directory.controls.addDirectoryService({ service_id: 9000 + at, service_name: name });
    }
    const root = readXml(await (await directory.send('/api/services.xml')).text());
    const shown = (foldXml(root) as { data: { service_name: string }[] }).data;
    expect(shown.slice(-names.length).map(({ service_name }) => service_name)).toEqual(names);
  });

  it('shows what XML cannot hold as U+FFFD', async () => {
    const name = 'a\u0001\u0008\u000b\u001f\ufffe\uffffz';
    await directory.controls.setDirectoryService('api', { service_name: name });
    const text = await (await directory.send('/api/services.xml')).text();
    readXml(text);
    expect(text).toContain(`<service_name>a${'\ufffd'.repeat(6)}z</service_name>`);
  });

  it('has an empty element for null', async () => {
    await directory.controls.setDirectoryService('api', { service_name: null, methods: null });
    const text = await (await directory.send('/api/services.xml')).text();
    readXml(text);
    expect(text).toContain('<service_name></service_name>');
    expect(text).toContain('<methods></methods>');
  });
});

describe('JSON', () => {
  it('keeps hostile names whole', async () => {
    const name = '</script>&"\u2028\u001f\ufffe';
    await directory.controls.setDirectoryService('api', { service_name: name });
    expect((await directory.services()).data[0]?.service_name).toBe(name);
  });
});

describe('JSONP', () => {
  const script = async (query: string, path = '/api/services.json') =>
    directory.send(`${path}?${query}`);

  it.each(OPEN)(
    'wraps %s in the callback, as a script that is no document [SD-PARAM-2]',
    async (path) => {
      const response = await script('callback=app.on_$data', `${path}.json`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-disposition')).toBe('attachment; filename=f.txt');
      const text = await response.text();
      const [, json] = /^\/\*\*\/app\.on_\$data\((.*)\);$/s.exec(text) ?? [];
      expect(JSON.parse(json ?? '')).toMatchObject({ meta: { status: 200 } });
    },
  );

  it('escapes what ends a script or one of its lines', async () => {
    const name = 'a\u2028b\u2029c</script><script>';
    await directory.controls.setDirectoryService('api', { service_name: name });
    const text = await (await script('callback=f')).text();
    expect(text).not.toMatch(/\u2028|\u2029|<\//);
    expect(JSON.parse(text.slice('/**/f('.length, -2)).data[0].service_name).toBe(name);
  });

  it('answers 200 also where no data is returned', async () => {
    directory = await Directory.start({ directory: { services: [] } });
    const response = await script('callback=f');
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^\/\*\*\/f\(.*"status": 204/s);
  });

  it.each([
    ['empty', ''],
    ['with a dot at its end', 'a.'],
    ['with a dot at its start', '.a'],
    ['with two dots', 'a..b'],
    ['a call', 'alert(1)//'],
    ['an index', 'a[0]'],
    ['with a line break', 'a\nb'],
    ['with a line break at its end', 'a\n'],
    ['with a space', 'a b'],
    ['with a digit first', '1a'],
    ['with letters beyond ASCII', 'ä'],
    ['markup', '<script>'],
    ['a reserved word', 'delete'],
    ['a reserved word behind a dot', 'window.delete'],
    ['a reserved word before a dot', 'this.f'],
    ['eval', 'eval'],
    ['a literal', 'null'],
    ['of a word of the future', 'enum'],
    ['longer than 64', `a${'b'.repeat(64)}`],
    [
      'a whole Flash file (Rosetta Flash)',
      `CWSMIKI0hCD0Up0IZUnnnnnnnnnnnnnnnnnnnUU5nnnnnn3Snn7iiudIbEAt333swW0s${'s'.repeat(60)}`,
    ],
  ])('refuses a callback that is %s, without repeating it', async (_what, callback) => {
    const response = await script(new URLSearchParams({ callback }).toString());
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const text = await response.text();
    const { timestamp: _now, ...meta } = JSON.parse(text).meta;
    expect(meta).toEqual({
      requests: -1,
      status: 501,
      message: 'Invalid method',
      method_id: 1081,
      version: 2.07,
      method: {},
    });
  });

  it.each(['f'.repeat(64), '$', '_', 'a.b.c', 'deleted', 'newer.of'])('takes %s', async (name) => {
    const text = await (await script(`callback=${name}`)).text();
    expect(text.startsWith(`/**/${name}(`)).toBe(true);
  });

  it('refuses a repeated callback', async () => {
    expect((await script('callback=a&callback=a')).status).toBe(400);
  });

  it('never lets the first bytes be chosen (Rosetta Flash)', async () => {
    const text = await (await script('callback=CWSMIKI0hCD0Up0IZUnnnnnnnn')).text();
    expect(text.startsWith('/**/')).toBe(true);
  });

  it('is ignored for XML', async () => {
    const response = await script('callback=1', '/api/services.xml');
    expect(response.status).toBe(200);
    readXml(await response.text());
  });

  it('is not for what needs a token', async () => {
    const response = await script('callback=f', '/v2/buildings/list.json');
    expect(response.status).toBe(401);
    expect(await response.text()).toMatch(/^\{/);
  });
});

describe('what is no method', () => {
  it.each([
    '/api/services',
    '/api/services/',
    '/api/services.',
    '/api/services.yaml',
    '/api/services.JSON',
    '/api/services.json.xml',
    '/api/services.json/',
    '/api/services%2ejson',
    '/api/services.jso%6e',
    '/v2',
    '/v2/',
    '/v2/api',
    '/v2/api/services',
    '/v2/api/services.JSON',
    '/v2/api/services%2Ejson',
    '/v2/api/services.json.xml',
    '/v2/api//services.json',
    '/v2/api%2fservices.json',
    '/v2/api/nothing.json',
    '/v2/nothing/list.json',
    '/v2/buildings/list.json.xml',
    '/v2/buildings/x%2ejson.xml',
    '/v2/buildings/%zz.json',
    '/v2/buildings/%00.json',
    '/v2/buildings/a/b/c/d.json',
    '/v2/.json',
    '/v2/buildings/.json',
  ])('is 404, Invalid method, in JSON: %s', async (path) => {
    const { data, headers, meta, status } = await directory.ask(path);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(meta).toMatchObject({ requests: -1, status: 501, message: 'Invalid method' });
    expect(meta.method_id).toBeNull();
    expect(data).toEqual({});
  });

  it('is answered in XML where that was asked for', async () => {
    const response = await directory.send('/v2/nothing/list.xml');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(foldXml(readXml(await response.text()))).toMatchObject({
      meta: { status: '501', method_id: '' },
      data: '',
    });
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'is %s on any path: 405, with what is allowed',
    async (method) => {
      for (const path of [
        '/api/services.json',
        '/v2/api/services.json',
        '/v2/buildings/list.json',
      ]) {
        const { headers, meta, status } = await directory.ask(path, { method });
        expect(status).toBe(405);
        expect(headers.get('allow')).toBe('GET, HEAD');
        expect(meta).toMatchObject({ status: 501, message: 'Invalid method' });
      }
      const xml = await directory.send('/api/services.xml', { method });
      expect(xml.status).toBe(405);
      readXml(await xml.text());
    },
  );

  it('is no neighbour that only begins like one', async () => {
    for (const path of ['/api/servicesx.json', '/v20/api/services.json', '/V2/api/services.json']) {
      const { status, body } = await directory.h.send('GET', path);
      expect([status, body['error']]).toEqual([404, 'not_found']);
    }
  });
});

describe('HEAD', () => {
  it.each(['/api/services.json', '/v2/server/codes.xml', '/v2/nothing.json', '/v2/api/usage.json'])(
    'mirrors GET without the body: %s',
    async (path) => {
      const [got, head] = [
        await directory.send(path),
        await directory.send(path, { method: 'HEAD' }),
      ];
      expect(head.status).toBe(got.status);
      expect([...head.headers]).toEqual([...got.headers]);
      expect(await head.text()).toBe('');
    },
  );
});

describe('an API key', () => {
  it('is ignored, and neither repeated nor logged', async () => {
    const { status, text } = await directory.ask('/api/services.json?key=TOPSECRET');
    expect(status).toBe(200);
    const refused = await directory.ask('/v2/api/usage.json?key=TOPSECRET');
    expect(refused.status).toBe(401);
    expect(text + refused.text + [...refused.headers].join()).not.toContain('TOPSECRET');
    expect(JSON.stringify(directory.h.log)).not.toContain('TOPSECRET');
  });
});

describe('a database in trouble', () => {
  const failing = (error: Error) => {
    const fail = () => Promise.reject(error);
    directory.db.transaction = fail;
    directory.db.read = fail;
  };

  it.each([
    ['busy', new StoreBusyError()],
    ['broken', new Error('secret detail')],
  ])('is %s: 503 in the own envelope, with when to come back', async (_what, error) => {
    failing(error);
    for (const path of ['/api/services.json', '/v2/api/usage.json']) {
      const { headers, meta, status, text } = await directory.ask(path);
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
      expect(meta).toMatchObject({ status: 429, message: 'API request limit reached' });
      expect(text).not.toContain('secret');
    }
    const xml = await directory.send('/api/services.xml');
    expect(xml.status).toBe(503);
    readXml(await xml.text());
  });

  it('leaves the count as it was', async () => {
    await directory.services();
    const { read, transaction } = directory.db;
    failing(new StoreBusyError());
    expect((await directory.ask('/api/services.json')).status).toBe(503);
    Object.assign(directory.db, { read, transaction });
    expect((await directory.services()).meta.requests).toBe(2);
  });
});

it('says no status that /server/codes does not list', async () => {
  const token = await directory.token();
  const answers = [
    await directory.services(),
    await directory.ask('/api/services.json?callback=1'),
    await directory.ask('/api/services.yaml'),
    await directory.ask('/v2/api/usage.json'),
    await directory.ask('/v2/api/usage.json', { headers: { authorization: 'Bearer x' } }),
    await directory.ask('/v2/api/usage.json', { headers: { authorization: `Bearer ${token}` } }),
    await directory.ask('/api/services.json', { method: 'POST' }),
  ];
  directory.db.transaction = () => Promise.reject(new StoreBusyError());
  answers.push(await directory.ask('/api/services.json'));
  for (const { meta } of answers) {
    expect(CODES).toContainEqual({ code: meta.status, message: meta.message });
  }
});
