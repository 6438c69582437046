import { expect, it } from 'vitest';
import { JWT_BEARER_GRANT } from '../../src/protocol/constants.ts';
import { HOUR } from '../../src/protocol/durations.ts';
import { BASE, Harness } from './harness.ts';

// What each fault does, its proof in test/conformance/faults shows: here is what no check of the suite sees.

const CLIENT = { client_id: 'client-a', client_secret: 'a-test-secret' };

it('staleIntrospection calls a revoked token active, and none that has expired: no cache keeps it', async () => {
  const h = await Harness.start({
    clients: [{ id: CLIENT.client_id, secret: CLIENT.client_secret }],
  });
  await h.service.controls.setFaults(['staleIntrospection']);
  const assertion = await h.provider.idJag({
    client_id: CLIENT.client_id,
    resource: `${BASE}/api/resource`,
    scope: 'api.read',
  });
  const redeemed = { grant_type: JWT_BEARER_GRANT, assertion, ...CLIENT };
  const { body } = await h.form('/oauth2/token', redeemed);
  const token = String(body['access_token']);
  await h.form('/oauth2/revoke', { token, ...CLIENT });
  const isActive = async () =>
    (await h.form('/oauth2/introspect', { token, ...CLIENT })).body['active'];
  const revoked = [await isActive(), (await h.call(token)).status];
  h.clock.advance(HOUR);
  expect([...revoked, await isActive()]).toEqual([true, 401, false]);
});

it('missingMetadataHint, of another group, is seen at /mcp, too', async () => {
  const h = await Harness.start();
  const challenge = async () => {
    const { headers, status } = await h.send('POST', '/mcp');
    return [status, headers.get('www-authenticate')?.includes('resource_metadata=')];
  };
  expect(await challenge()).toEqual([401, true]);
  await h.service.controls.setFaults(['missingMetadataHint']);
  expect(await challenge()).toEqual([401, false]);
});
