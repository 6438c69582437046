import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../../src/conformance/index.ts';
import { serve } from '../../../../src/mock/http/serve.ts';
import { systemClock, systemRandom, systemSleep } from '../../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../../src/runtime/system-fetch.ts';

const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };

/** A registration's answer with its assertion signed by HMAC; `sign` makes the MAC. */
async function judgeSigning(sign: (input: string) => string) {
  const mock = await startMockTarget({
    ...ports,
    fetch: createSystemFetch(),
    serve: (options) =>
      serve({
        ...options,
        build: async (origin) => {
          const handle = await options.build(origin);
          return async (...given) => {
            const response = await handle(...given);
            if (new URL(given[0].url).pathname !== '/agent/identity' || !response.ok) {
              return response;
            }
            const body = (await response.json()) as Record<string, string>;
            const [, claims = ''] = (body['identity_assertion'] ?? '').split('.');
            const header = Buffer.from('{"alg":"HS256"}').toString('base64url');
            const input = `${header}.${claims}`;
            const assertion = `${input}.${sign(input)}`;
            return Response.json({ ...body, identity_assertion: assertion });
          };
        },
      }),
  });
  try {
    const results = await judgeService({
      ...ports,
      target: mock.target,
      catalog: new Catalog(readRequirements()),
      timeout: 30_000,
      repeat: false,
      scenarios: SERVICE_SCENARIOS.filter(({ id }) => id === 'identity-assertion'),
    });
    return results.flatMap(({ checks }) => checks);
  } finally {
    await mock.close();
  }
}

it('failed a service that signs with a secret of its own, and named a kid that is not there', async () => {
  const secret = 'of this service alone';
  const checks = await judgeSigning((input) =>
    createHmac('sha256', secret).update(input).digest('base64url'),
  );
  const signed = checks.find(({ id }) => id === 'identity-assertion.signed');
  expect(signed).toMatchObject({ status: 'warn', findings: [{ exchange: expect.any(Number) }] });
  const [finding] = signed?.findings ?? [];
  expect(finding?.expected).toMatch(/asymmetric algorithm .*jwks_uri/);
  expect(finding?.seen).toMatch(/^alg: "HS256" \(The specification asks/);
});

it('still fails one whose assertion only says so', async () => {
  const checks = await judgeSigning(() => Buffer.alloc(64).toString('base64url'));
  const signed = checks.find(({ id }) => id === 'identity-assertion.signed');
  expect([signed?.status, signed?.findings[0]?.seen]).toEqual([
    'fail',
    'its signature (HS256) is not by any published key',
  ]);
});
