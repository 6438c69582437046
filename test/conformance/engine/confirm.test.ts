import { expect, it } from 'vitest';
import { status } from '../../../src/conformance/engine/rows.ts';
import {
  Catalog,
  judgeService,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../src/conformance/index.ts';
import { serviceScenario } from '../../../src/conformance/service/service-world.ts';
import { serve } from '../../../src/mock-service/index.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';

const RESOURCE = '/api/resource';

const opening = serviceScenario({
  id: 'opening',
  title: 'An agent calls',
  checks: { opened: 'A token opens the resource.' },
  async run(judge, world) {
    const token = await world.accessToken((await world.anonymous()).assertion);
    judge.table(await world.client.call(token), { opened: status(200) });
  },
});

/** Takes the first call without a token for one with the token that opened the resource before it. */
function rememberingOnce(answered: number[]): typeof serve {
  return (options) =>
    serve({
      ...options,
      build: async (origin) => {
        const handle = await options.build(origin);
        let remembered: string | undefined;
        return async (request) => {
          if (new URL(request.url).pathname !== RESOURCE) return handle(request);
          const own = request.headers.get('authorization');
          const isTaken = own === null && remembered !== undefined;
          const headers = { authorization: remembered ?? '' };
          const response = await handle(isTaken ? new Request(request.url, { headers }) : request);
          remembered = own !== null && response.ok ? own : undefined;
          answered.push(response.status);
          return response;
        };
      },
    });
}

it('keeps that a call without a token brought data once, though the same call is refused again', async () => {
  const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
  const answered: number[] = [];
  const serving = { fetch: createSystemFetch(), serve: rememberingOnce(answered) };
  const mock = await startMockTarget({ ...ports, ...serving });
  try {
    const results = await judgeService({
      ...ports,
      target: mock.target,
      resource: RESOURCE,
      control: mock.control,
      providers: mock.providers,
      provider: { trusted: true },
      catalog: new Catalog(readRequirements()),
      timeout: 30_000,
      scenarios: [opening, ...SERVICE_SCENARIOS.filter(({ id }) => id === 'challenge')],
    });
    const checks = results.flatMap((each) => each.checks);
    expect(checks.find(({ id }) => id === 'challenge.open')).toMatchObject({
      status: 'fail',
      findings: [{ seen: expect.stringMatching(/^200: \{/) }],
    });
    // Discovery, the token, the call without one, and that call and one with a bad token when it was run again.
    expect(answered).toEqual([401, 200, 200, 401, 401]);
  } finally {
    await mock.close();
  }
});
