import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { MockOptions } from '../../../../src/cli/mock/servers/mock-options.ts';
import { readAccess } from '../../../../src/cli/mock/servers/service-access.ts';
import { CliError } from '../../../../src/cli/shell/cli-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'agent-auth-access-'));
afterAll(() => rmSync(folder, { recursive: true }));

const openapi = file(
  'shop.yaml',
  `openapi: 3.1.0
paths:
  /orders/{id}:
    get: { security: [{ shop: [orders.read] }] }
    put: { security: [{ shop: [orders.write] }] }
    delete: { security: [{ shop: [orders.admin] }] }
    trace: {}
components: { securitySchemes: { shop: { type: oauth2, flows: {} } } }
`,
);

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const read = (options: MockOptions) => readAccess(options, new AbortController().signal);

const refusal = (options: MockOptions) =>
  read(options).then(
    () => 'taken',
    (error: unknown) => (error instanceof CliError ? `${error.outcome}: ${error.message}` : error),
  );

describe('what a mock service protects', () => {
  it('is the specification’s without options', async () => {
    expect(await read({})).toEqual({
      scopes: {},
      resources: undefined,
      remarks: [],
      claimScope: 'api.write',
    });
  });

  it('adds up: --protect before the file, and that before the description', async () => {
    const { claimScope, remarks, resources } = await read({
      protect: ['get /orders/{order}=orders.see', 'POST /orders'],
      resources: [
        { path: '/orders/{x}', scope: 'never' },
        { path: '/orders/{x}', method: 'PUT', scope: 'orders.put' },
      ],
      openapi,
    });
    expect(resources).toEqual([
      { path: '/orders/{order}', method: 'GET', scope: 'orders.see' },
      { path: '/orders', method: 'POST' },
      { path: '/orders/{x}', method: 'PUT', scope: 'orders.put' },
      { path: '/orders/{id}', method: 'DELETE', scope: 'orders.admin' },
    ]);
    expect(remarks).toEqual([
      'TRACE /orders/{id}: left out (a method that the mock does not answer).',
    ]);
    expect(claimScope).toBe('orders.put');
  });

  it.each(['GET /openapi.json', 'POST /{file}', 'GET /*'])(
    'says that %s is in the way of its own document',
    async (one) => {
      const { remarks } = await read({ protect: ['GET /orders', one] });
      expect(remarks).toEqual([
        'A resource is at /openapi.json, so the mock does not describe itself there.',
      ]);
    },
  );

  it('takes scopes with commas and with spaces, and none', async () => {
    const { scopes } = await read({ preClaimScopes: '', postClaimScopes: 'a, b  c,a' });
    expect(scopes).toEqual({ preClaim: [], postClaim: ['a', 'b', 'c'] });
  });

  it('has nothing to propose where a claim adds nothing', async () => {
    expect((await read({ protect: ['GET /a=a'] })).claimScope).toBeUndefined();
  });

  it.each<[string, MockOptions]>([
    ['usage: --protect "GET /a=": the scope is empty.', { protect: ['GET /a='] }],
    [
      'usage: --protect "/a=x": write it as METHOD PATH=SCOPE, for example "GET /v1/orders=orders.read".',
      { protect: ['/a=x'] },
    ],
    [
      'usage: --protect "TRACE /a=x": the method is one of GET, POST, PUT, PATCH, DELETE.',
      { protect: ['TRACE /a=x'] },
    ],
    [
      'usage: --protect "GET /a/{c}=x": it is there twice.',
      { protect: ['GET /a/{b}', 'GET /a/{c}=x'] },
    ],
    [
      'usage: --pre-claim-scopes has b, which --post-claim-scopes has not: a claim takes no scope away.',
      { preClaimScopes: 'b', postClaimScopes: 'a' },
    ],
    ['usage: --post-claim-scopes is empty: name at least one scope.', { postClaimScopes: ' ' }],
    [
      'usage: GET /a needs x, which --post-claim-scopes has not: add it there.',
      { protect: ['GET /a=x'], postClaimScopes: 'a' },
    ],
    [
      `usage: --openapi ${join(folder, 'bytes')}: The file is not UTF-8 text.`,
      { openapi: file('bytes', new Uint8Array([0xff])) },
    ],
    [
      `usage: --openapi ${join(folder, 'v2.yaml')}: The OpenAPI description cannot be used: it is Swagger 2.0, and only OpenAPI 3 can be read.`,
      { openapi: file('v2.yaml', 'swagger: "2.0"') },
    ],
  ])('is refused: %s', async (message, options) => {
    expect(await refusal(options)).toBe(message);
  });
});
