import { describe, expect, it } from 'vitest';
import type { MockOptions } from '../../../../src/cli/mock/servers/mock-options.ts';
import { readAccess } from '../../../../src/cli/mock/servers/service-role.ts';
import { CliError } from '../../../../src/cli/shell/cli-error.ts';

const read = async (options: MockOptions) => readAccess(options);

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

  it('adds up: --protect before the file', async () => {
    const { claimScope, resources } = await read({
      protect: ['get /orders/{order}=orders.see', 'POST /orders'],
      resources: [
        { path: '/orders/{x}', scope: 'never' },
        { path: '/orders/{x}', method: 'PUT', scope: 'orders.put' },
      ],
    });
    expect(resources).toEqual([
      { path: '/orders/{order}', method: 'GET', scope: 'orders.see' },
      { path: '/orders', method: 'POST' },
      { path: '/orders/{x}', method: 'PUT', scope: 'orders.put' },
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
  ])('is refused: %s', async (message, options) => {
    expect(await refusal(options)).toBe(message);
  });
});
