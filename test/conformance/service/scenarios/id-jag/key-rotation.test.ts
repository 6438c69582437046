import { expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../../../src/conformance/index.ts';
import { type Fetch, systemClock, systemRandom } from '../../../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../../../src/runtime/system-fetch.ts';

/** Fetches each key set as often as it is asked to, and goes on with the first. */
function fetchInVain(): Fetch {
  const fetch = createSystemFetch();
  const first = new Map<string, string>();
  return async (url, init) => {
    const text = await (await fetch(url, init)).text();
    if (!first.has(url)) first.set(url, text);
    return new Response(first.get(url));
  };
}

it('finds a service that fetched the set with the new key, and still refuses the key', async () => {
  let slept = 0;
  const ports = {
    clock: { now: () => systemClock.now() + slept },
    random: systemRandom,
    sleep: async (ms: number) => {
      slept += ms;
    },
  };
  const mock = await startMockTarget({ ...ports, fetch: fetchInVain() });
  try {
    const [rotation] = await judgeService({
      ...ports,
      target: mock.target,
      providers: mock.providers,
      provider: { trusted: true },
      catalog: new Catalog(readRequirements()),
      timeout: 30_000,
      // Less than a right service may take to look again, and more than this one takes.
      patience: 60_000,
      together: false,
      scenarios: SERVICE_SCENARIOS.filter(({ id }) => id === 'id-jag-key-rotation'),
    });
    expect(rotation?.checks.find(({ id }) => id.endsWith('.new-key'))).toMatchObject({
      status: 'fail',
      section: 'protocol',
      title: 'A new key of the provider is accepted.',
      findings: [
        {
          expected: 'An ID-JAG is taken whose key is in the set that the service has fetched.',
          seen: expect.stringMatching(/^400: .*invalid_signature/),
        },
      ],
    });
  } finally {
    await mock.close();
  }
});
