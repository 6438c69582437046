import { expect, it } from 'vitest';
import { SeededRandom } from '../../src/runtime/index.ts';
import { ANSWER, Bench, ENDPOINT, SERVICE, serverMetadata } from '../agent/support/bench.ts';
import { json } from '../agent/support/fake-web.ts';
import { Host } from './support/host.ts';

it('connect sent a user to a page and said nothing of a claim that cannot be collected', async () => {
  const { clock, log, store, web } = new Bench();
  const grants = { grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] };
  web.on(ENDPOINT.serverMetadata, json(serverMetadata(grants)));
  web.on(ENDPOINT.identity, json(ANSWER.serviceAuth()));
  const host = await Host.start({
    ...{ clock, fetch: web.fetch, log, store },
    random: new SeededRandom(3),
    sleep: async () => {},
  });
  const { data } = await host.call('connect', {
    ...{ service: SERVICE, email: 'alice@example.com', type: 'service_auth' },
  });
  await host.close();
  expect(data).toMatchObject({
    status: 'pending',
    untrusted_warnings: [{ code: 'no_claim_grant' }],
  });
});
