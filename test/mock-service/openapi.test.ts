import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { resourcesFromOpenapi } from '../../src/mock-service/index.ts';
import { Harness } from './harness.ts';

const SHOP = readFileSync(join(import.meta.dirname, '../../docs/examples/shop.yaml'), 'utf8');

const SCHEMES = {
  oauth: { type: 'oauth2', flows: {} },
  oidc: { type: 'openIdConnect', openIdConnectUrl: '/x' },
  jwt: { type: 'http', scheme: 'Bearer' },
  key: { type: 'apiKey', in: 'header', name: 'x-key' },
};

type Members = Record<string, unknown>;

/** What is made of one `GET /a` beside a plain `GET /z`. */
async function operation(given: Members, root: Members = {}, item: Members = {}) {
  const { resources, remarks } = await resourcesFromOpenapi(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/a': { get: given, ...item }, '/z': { get: { security: [{ jwt: [] }] } } },
      ...root,
      components: { securitySchemes: SCHEMES, ...(root['components'] as Members | undefined) },
    }),
  );
  return { resource: resources.find(({ path }) => path.endsWith('/a')), remarks };
}

const answering = (content: unknown, components: Members = {}) =>
  operation({ responses: { 200: { description: '', content } } }, { components });

const refusal = (text: string) =>
  resourcesFromOpenapi(text).then(
    () => 'taken',
    (error: unknown) =>
      error instanceof TypeError
        ? error.message.replace('The OpenAPI description cannot be used: ', '')
        : String(error),
  );

const HEAD = 'openapi: 3.0.3\n';

describe('resourcesFromOpenapi', () => {
  it('gives a mock its paths, scopes and examples, and names what is left out', async () => {
    const { resources, remarks } = await resourcesFromOpenapi(SHOP);
    expect(
      resources.map(({ method, path, scope, open, status }) => [
        method,
        path,
        scope ?? open,
        status,
      ]),
    ).toEqual([
      ['GET', '/v1/orders', 'orders.read', 200],
      ['POST', '/v1/orders', 'orders.write', 201],
      ['GET', '/v1/orders/{id}', 'orders.read', 200],
      ['DELETE', '/v1/orders/{id}', 'orders.write', 204],
      ['GET', '/v1/health', true, 200],
    ]);
    expect(remarks).toEqual([
      'TRACE /orders/{id}: left out (a method that the mock does not answer).',
      'GET /reports: left out (reference to another file: models.yaml#/Report).',
    ]);
    const harness = await Harness.start({ resources });
    const registration = await harness.claimedAnonymous();
    const before = await harness.exchange(
      (await harness.register({ type: 'anonymous' })).body['identity_assertion'],
    );
    const early = before.body['access_token'];
    expect((await harness.call(early, 'GET', '/v1/orders')).body).toEqual([{ id: 7, item: 'tea' }]);
    expect((await harness.call(early, 'POST', '/v1/orders')).body['error']).toBe(
      'insufficient_scope',
    );
    const { access_token: late } = await harness.collect(registration['claim_token']);
    const made = await harness.call(late, 'POST', '/v1/orders');
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: 7,
      item: 'string',
      placed: '2019-08-24T14:15:22Z',
      parent: {},
      lines: [{ sku: 'string', order: {} }],
    });
    expect((await harness.call(late, 'DELETE', '/v1/orders/1')).status).toBe(204);
    expect((await harness.send('GET', '/v1/health')).body).toEqual({ text: 'fine' });
    expect((await harness.send('GET', '/v1/orders')).status).toBe(401);
  });

  it.each(['3.0.3', '3.1.1', '3.2.0'])('reads %s, as JSON and as YAML', async (openapi) => {
    const document = { openapi, paths: { '/a': { get: {} } } };
    for (const text of [JSON.stringify(document), stringify(document)]) {
      expect((await resourcesFromOpenapi(text)).resources).toEqual([{ path: '/a', method: 'GET' }]);
    }
  });

  it.each<[string, unknown, string | true | undefined, string?]>([
    ['oauth2', [{ oauth: ['a', 'b'] }], 'a b'],
    ['openIdConnect', [{ oidc: ['a'] }], 'a'],
    ['bearer', [{ jwt: [] }], undefined],
    ['two together', [{ oauth: ['a'], jwt: ['b'] }], 'a b'],
    ['none', [], true],
    ['none as an alternative', [{ oauth: ['a'] }, {}], true],
    ['nothing said', undefined, undefined],
    ['a key alone', [{ key: [] }], undefined, 'takes any access token in place of key'],
    ['a key as an alternative', [{ key: [] }, { oauth: ['a'] }], 'a'],
    ['a key as well', [{ key: [], oauth: ['a'] }], 'a', 'is not asked for key'],
    [
      'alternatives',
      [{ oauth: ['a'] }, { oauth: ['b'] }],
      'a',
      'takes a alone, the first of several alternatives',
    ],
    [
      'a scheme that is not there',
      [{ other: [] }],
      'gone',
      'left out (security scheme that is not described: other)',
    ],
    ['no list', 5, 'gone', 'left out (security that is no list)'],
  ])('takes security: %s', async (_what, security, access, remark) => {
    const { resource, remarks } = await operation({ security });
    expect(remarks).toEqual(remark === undefined ? [] : [`GET /a: ${remark}.`]);
    if (access === 'gone') expect(resource).toBeUndefined();
    else expect(resource?.scope ?? resource?.open).toBe(access);
  });

  it('takes the security of the description where an operation has none', async () => {
    const { resource } = await operation({}, { security: [{ oauth: ['a'] }] });
    expect(resource?.scope).toBe('a');
  });

  it.each<[string, unknown, string]>([
    ['a path', '/v3', '/v3/a'],
    ['a URL', 'https://api.example/v3/', '/v3/a'],
    ['no path', 'https://api.example', '/a'],
    ['variables', 'https://{host}/{base}', '/v9/a'],
  ])('puts paths below the server’s: %s', async (_what, url, path) => {
    const variables = { host: { default: 'h.example' }, base: { default: 'v9' } };
    const servers = [{ url, variables }, { url: '/never' }];
    expect((await operation({}, { servers })).resource?.path).toBe(path);
    expect(
      (await operation({}, { servers: [{ url: '/never' }] }, { servers })).resource?.path,
    ).toBe(path);
    expect((await operation({ servers }, { servers: [{ url: '/never' }] })).resource?.path).toBe(
      path,
    );
  });

  it.each<[string, unknown, Members, Members?]>([
    [
      'an example',
      { 'application/json': { example: { a: 1 } } },
      { body: '{"a":1}', contentType: 'application/json' },
    ],
    [
      'the first of examples',
      { 'application/json': { examples: { x: { value: [1] }, y: { value: [2] } } } },
      { body: '[1]' },
    ],
    [
      'one by reference',
      { 'application/json': { examples: { x: { $ref: '#/components/examples/E' } } } },
      { body: '"e"' },
      { examples: { E: { value: 'e' } } },
    ],
    [
      'not one elsewhere',
      {
        'application/json': {
          examples: { x: { externalValue: 'https://x.example/e' }, y: { value: 3 } },
        },
      },
      { body: '3' },
    ],
    [
      'data of 3.2',
      { 'application/json': { examples: { x: { dataValue: { a: 1 } } } } },
      { body: '{"a":1}' },
    ],
    [
      'a text of 3.2',
      { 'text/csv': { examples: { x: { serializedValue: 'a,b' } } } },
      { body: 'a,b', contentType: 'text/csv' },
    ],
    ['JSON written as text', { 'application/json': { example: '{"a": 1}' } }, { body: '{"a": 1}' }],
    ['a string', { 'application/json': { example: 'plain' } }, { body: '"plain"' }],
    [
      'JSON before others',
      { 'text/html': { example: '<p>' }, 'application/problem+json': { example: {} } },
      { body: '{}', contentType: 'application/problem+json' },
    ],
    [
      'any type',
      { '*/*': { example: { a: 1 } } },
      { body: '{"a":1}', contentType: 'application/json' },
    ],
    [
      'a sample',
      {
        'application/json': {
          schema: { type: 'object', properties: { n: { type: ['null', 'integer'], minimum: 3 } } },
        },
      },
      { body: '{"n":3}' },
    ],
    [
      'one without what is only written',
      {
        'application/json': { schema: { properties: { a: { const: 1 }, b: { writeOnly: true } } } },
      },
      { body: '{"a":1}' },
    ],
    [
      'one of a choice that is not null',
      { 'application/json': { schema: { anyOf: [{ type: 'null' }, { type: 'boolean' }] } } },
      { body: 'true' },
    ],
    [
      'XML',
      { 'application/xml': { schema: { $ref: '#/components/schemas/Pet' } } },
      { body: '<Pet>\n  <name>Rex</name>\n</Pet>\n' },
      {
        schemas: {
          Pet: { type: 'object', properties: { name: { type: 'string', example: 'Rex' } } },
        },
      },
    ],
    [
      'the example beside a reference',
      { 'application/json': { schema: { $ref: '#/components/schemas/P', example: { mine: 1 } } } },
      { body: '{"mine":1}' },
      { schemas: { P: { type: 'object', example: { mine: 0 } } } },
    ],
    [
      'what a reference through others leads to',
      { 'application/json': { schema: { $ref: '#/components/schemas/a~1b%20c/properties/0' } } },
      { body: '"e"' },
      {
        schemas: {
          'a/b c': { $ref: '#/components/schemas/P' },
          P: { properties: [{ $ref: '#/components/schemas/S' }] },
          S: { type: 'string', example: 'e' },
        },
      },
    ],
    ['nothing', { 'image/png': {} }, { body: '', contentType: 'image/png' }],
  ])('answers with %s', async (_what, content, answer, components) => {
    const { resource, remarks } = await answering(content, components);
    expect(resource).toMatchObject({ status: 200, ...answer });
    expect(remarks).toEqual([]);
  });

  it.each<[string, Members, Members]>([
    ['the first 2xx', { 500: {}, 202: {}, 201: {} }, { status: 201, body: '' }],
    ['2XX', { '2XX': {} }, { status: 200, body: '' }],
    ['default where it is alone', { default: {} }, { status: 200, body: '' }],
  ])('answers with %s', async (_what, responses, answer) => {
    expect((await operation({ responses })).resource).toMatchObject(answer);
  });

  it('answers as any resource does where there is no success', async () => {
    const { remarks, resource } = await operation({ responses: { 404: { description: '' } } });
    expect(resource).toEqual({ path: '/a', method: 'GET' });
    expect(remarks).toEqual(['GET /a: is 200 (it describes no success).']);
  });

  it.each<[string, unknown]>([
    ['its examples are elsewhere', { examples: { x: { externalValue: 'https://x.example/e' } } }],
    ['it has neither an example nor a schema', {}],
  ])('never answers JSON with nothing: %s', async (why, media) => {
    const { remarks, resource } = await answering({ 'application/json': media });
    expect(resource).toEqual({ path: '/a', method: 'GET', status: 200 });
    expect(remarks).toEqual([`GET /a: answers without an example (${why}).`]);
  });

  it.each<[string, Members]>([
    ['GET /login: left out (the mock answers /login itself).', { '/login': { get: {} } }],
    [
      'GET /o/{b}: left out (another operation answers the same calls).',
      { '/o/{a}': { get: {} }, '/o/{b}': { get: {} } },
    ],
    [
      "GET /a?b=c: left out (a path takes letters, digits, -._~!$&'()+,;=:@ and variables like {id}).",
      { '/a?b=c': { get: {} } },
    ],
    [
      '/a: left out (reference to another file: https://x.example/a.yaml).',
      { '/a': { $ref: 'https://x.example/a.yaml' } },
    ],
    [
      'GET /a: left out (reference that leads nowhere: #/components/responses/None).',
      { '/a': { get: { responses: { 200: { $ref: '#/components/responses/None' } } } } },
    ],
    [
      '/a: left out (reference that leads to itself: #/paths/~1a).',
      { '/a': { $ref: '#/paths/~1a' } },
    ],
    ...['#/__proto__', '#/paths/constructor', '#anchor', '#/%E0%A4%A', '#/paths/~1z/get/x'].map(
      (ref): [string, Members] => [
        `/a: left out (reference that leads nowhere: ${ref}).`,
        { '/a': { $ref: ref } },
      ],
    ),
    ['HEAD /a: left out (HEAD is answered where GET is).', { '/a': { head: {} } }],
    [
      'QUERY /a, COPY /a: left out (a method that the mock does not answer).',
      { '/a': { query: {}, additionalOperations: { COPY: {} } } },
    ],
    ['GET /a: left out (no object).', { '/a': { get: 1 } }],
    [
      'GET /a: left out ("no type" is no media type).',
      { '/a': { get: { responses: { 200: { content: { 'no type': { example: 1 } } } } } } },
    ],
  ])('names what it leaves out: %s', async (remark, paths) => {
    const { remarks } = await resourcesFromOpenapi(
      JSON.stringify({ openapi: '3.2.0', paths: { ...paths, '/z': { get: {} } } }),
    );
    expect(remarks).toEqual([remark]);
  });

  it('follows no reference out of the file, wherever it is', async () => {
    const outside = { $ref: './secret.json' };
    const { remarks, resource } = await answering({
      'application/json': { schema: { type: 'object', properties: { a: { items: outside } } } },
    });
    expect(resource).toBeUndefined();
    expect(remarks).toEqual(['GET /a: left out (reference to another file: ./secret.json).']);
  });

  it('names nothing that does something to a terminal', async () => {
    const { remarks } = await resourcesFromOpenapi(
      JSON.stringify({
        openapi: '3.1.0',
        paths: {
          '/\u001b]0;title\u0007\u001b[31mred\u202e': { get: {} },
          '/b\n✓ Ready.': { get: {} },
          '/c': { get: { security: [{ '\u001b[2J': [] }] } },
          '/d': { get: { responses: { 200: { $ref: '\u001b[31mx.yaml\ny' } } } },
          [`/${'l'.repeat(100_000)}`]: { get: {} },
          '/z': { get: {} },
        },
      }),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(remarks.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(remarks[0]).toMatch(/^GET \/red, GET \/b ✓ Ready\.: left out \(a path takes/);
    expect(remarks.join('').length).toBeLessThan(1_000);
    expect(await refusal(`${HEAD}x: !\u009b2J y\n`)).not.toContain('\u009b');
  });

  it('follows endless references in a time that does not grow with them', async () => {
    const long = { $ref: `#${'/paths'.repeat(200_000)}` };
    const schemas = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [
        `S${at}`,
        { $ref: `#/components/schemas/S${at + 1}` },
      ]),
    );
    const of = (schema: Members) => ({
      get: { responses: { 200: { content: { 'application/json': { schema } } } } },
    });
    const { remarks } = await resourcesFromOpenapi(
      JSON.stringify({
        openapi: '3.1.0',
        paths: {
          '/long': of(long),
          '/chain': of({ $ref: '#/components/schemas/S0' }),
          '/z': { get: {} },
        },
        components: { schemas },
      }),
    );
    expect(remarks.map((each) => each.slice(0, 60))).toEqual([
      'GET /long: left out (reference that leads nowhere: #/paths/p',
      'GET /chain: left out (reference that leads to itself: #/comp',
    ]);
  });

  it('takes what a merge key of YAML brings', async () => {
    const { resources } = await resourcesFromOpenapi(`${HEAD}x-read: &read
  security: [{ oauth: [orders.read] }]
paths:
  /a: { get: { <<: *read, summary: a } }
components: { securitySchemes: { oauth: { type: oauth2, flows: {} } } }
`);
    expect(resources).toEqual([{ path: '/a', method: 'GET', scope: 'orders.read' }]);
  });

  it('ends the circles of a schema', async () => {
    const Node = {
      type: 'object',
      properties: {
        next: { $ref: '#/components/schemas/Node' },
        all: { allOf: [{ $ref: '#/components/schemas/Node' }] },
      },
    };
    const { resource } = await answering(
      { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } },
      { schemas: { Node } },
    );
    expect(JSON.parse(String(resource?.body))).toEqual({ next: {}, all: {} });
  });

  const growing = (width: number) => {
    const level = (n: number) =>
      Object.fromEntries(
        Array.from({ length: width }, (_, at) => [
          `p${at}`,
          { $ref: `#/components/schemas/S${n + 1}` },
        ]),
      );
    const schemas = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `S${n}`,
        { type: 'object', properties: n < 11 ? level(n) : {} },
      ]),
    );
    const schema = { $ref: '#/components/schemas/S0' };
    return answering({ 'application/json': { schema } }, { schemas });
  };

  it('samples less deep what would grow too large', async () => {
    const { remarks, resource } = await growing(10);
    expect(remarks).toEqual([]);
    const body = JSON.parse(String(resource?.body));
    expect(body.p9.p9.p9).toBeDefined();
    expect(body.p9.p9.p9.p9?.p9?.p9).toBeUndefined();
  });

  it('does not sample what grows without bound', async () => {
    const { remarks, resource } = await growing(100);
    expect(remarks).toEqual([
      'GET /a: answers without an example (schema too large for a sample).',
    ]);
    expect(resource).toEqual({ path: '/a', method: 'GET', status: 200 });
    const wide = await answering({
      'application/json': {
        schema: { type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } },
      },
    });
    expect(String(wide.resource?.body).length).toBeLessThan(30_000);
  });

  it.each([
    ['it is Swagger 2.0, and only OpenAPI 3 can be read.', 'swagger: "2.0"\n'],
    ['it has no member openapi with a version such as 3.1.0.', 'openapi: 4.0.0\n'],
    ['it is no object.', '[]'],
    ['it is no object.', ''],
    ['line 2: the key "a" is there twice.', 'a: 1\na: 2\n'],
    [
      'it has too many aliases.',
      `a0: &a0 [1]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join()}]\n`).join('')}`,
    ],
    [
      'it is nested too deeply.',
      `{"openapi":"3.1.0","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ],
    ['it is nested too deeply.', `${HEAD}x: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`],
    ['it is larger than 8 MiB.', `${HEAD}x: "${'é'.repeat(4 * 1024 * 1024)}"\n`],
    [
      'it has more than 2000 operations.',
      JSON.stringify({
        openapi: '3.1.0',
        paths: Object.fromEntries(Array.from({ length: 2001 }, (_, n) => [`/a${n}`, { get: {} }])),
      }),
    ],
    ['it has no operation to protect.', HEAD],
    [
      'it has no operation to protect: GET /login: left out (the mock answers /login itself).',
      `${HEAD}paths: { /login: { get: {} } }\n`,
    ],
    ['it has no operation to protect.', `${HEAD}paths: { /a: { get: { security: [] } } }\n`],
  ])('refuses a description: %s', async (message, text) => {
    expect(await refusal(text)).toBe(message);
  });

  it('says where YAML is wrong', async () => {
    expect(await refusal('openapi: 3.1.0\npaths: {')).toMatch(/^line 2: /);
  });
});
