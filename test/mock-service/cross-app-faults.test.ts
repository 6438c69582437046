import { expect, it } from 'vitest';
import { CROSS_APP_FAULTS } from '../../src/mock-service/faults/cross-app-faults.ts';
import type { ServiceFaultName } from '../../src/mock-service/index.ts';
import { JWT_BEARER_GRANT } from '../../src/protocol/constants.ts';
import { HOUR } from '../../src/protocol/durations.ts';
import { BASE, Harness } from './harness.ts';

const CLIENT = { client_id: 'client-a', client_secret: 'a-test-secret' };
const METADATA = '/.well-known/oauth-authorization-server';
const API = `${BASE}/api/resource`;

/** An ID-JAG with these claims, redeemed. */
async function redeem(
  h: Harness,
  claims: Record<string, unknown> = {},
  client: Record<string, string> = CLIENT,
) {
  const assertion = await h.provider.idJag({
    client_id: CLIENT.client_id,
    resource: API,
    scope: 'api.read',
    ...claims,
  });
  return present(h, assertion, client);
}

async function present(
  h: Harness,
  assertion: string,
  client: Record<string, string> = CLIENT,
): Promise<Readonly<Record<string, unknown>>> {
  return (await h.form('/oauth2/token', { grant_type: JWT_BEARER_GRANT, assertion, ...client }))
    .body;
}

const outcome = (body: Readonly<Record<string, unknown>>) => body['error'] ?? 'given';

const redeeming = (claims: Record<string, unknown>) => async (h: Harness) =>
  outcome(await redeem(h, claims));

const member = (name: string) => async (h: Harness) => name in (await h.send('GET', METADATA)).body;

interface FaultCase {
  readonly see: (h: Harness) => Promise<unknown>;
  readonly good: unknown;
  readonly faulty: unknown;
}

const REFUSED = { good: 'invalid_grant', faulty: 'given' };
const LISTED = { good: true, faulty: false };

/** Each fault, and what shows it. */
const FAULTS = {
  slowTokenEndpoint: {
    see: async (h) => {
      const before = h.clock.now();
      return [
        outcome(await redeem(h)),
        outcome(await redeem(h, { exp: 1 })),
        h.clock.now() - before,
      ];
    },
    good: ['given', 'invalid_grant', 0],
    faulty: ['given', 'invalid_grant', 20_000],
  },
  missingAuthorizationEndpoint: { see: member('authorization_endpoint'), ...LISTED },
  missingChallengeMethods: { see: member('code_challenge_methods_supported'), ...LISTED },
  noClientAuthentication: {
    see: async (h) => outcome(await redeem(h, {}, { client_id: CLIENT.client_id })),
    good: 'invalid_client',
    faulty: 'given',
  },
  acceptedAudienceList: { see: redeeming({ aud: [BASE, 'https://other.test'] }), ...REFUSED },
  acceptedAudiencePrefix: {
    see: async (h) => [
      outcome(await redeem(h, { aud: `${BASE}.evil.test` })),
      // That is another fault.
      outcome(await redeem(h, { aud: [BASE, 'https://other.test'] })),
    ],
    good: ['invalid_grant', 'invalid_grant'],
    faulty: ['given', 'invalid_grant'],
  },
  acceptedForeignClient: { see: redeeming({ client_id: 'another-client' }), ...REFUSED },
  acceptedForeignResource: { see: redeeming({ resource: 'https://other.test/mcp' }), ...REFUSED },
  ignoredConfirmation: { see: redeeming({ cnf: { jkt: 'x' } }), ...REFUSED },
  acceptedRedeemedIdJag: {
    see: async (h) => {
      const assertion = await h.provider.idJag({ client_id: CLIENT.client_id, resource: API });
      return [outcome(await present(h, assertion)), outcome(await present(h, assertion))];
    },
    good: ['given', 'invalid_grant'],
    faulty: ['given', 'given'],
  },
  crashingOddJti: {
    see: async (h) => {
      const assertion = await h.provider.idJag({ client_id: CLIENT.client_id, jti: {} });
      const fields = { grant_type: JWT_BEARER_GRANT, assertion, ...CLIENT };
      return (await h.form('/oauth2/token', fields)).status;
    },
    good: 400,
    faulty: 500,
  },
  extraRedeemedRefreshToken: {
    see: async (h) => 'refresh_token' in (await redeem(h)),
    good: false,
    faulty: true,
  },
  ignoredTokenResource: {
    see: async (h) => {
      const ofMcp = (await redeem(h, { resource: `${BASE}/mcp` }))['access_token'];
      const ofApi = (await redeem(h))['access_token'];
      const ping = await h.send('POST', '/mcp', {
        headers: {
          authorization: `Bearer ${String(ofApi)}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
      return [(await h.call(ofMcp)).status, ping.status === 401];
    },
    good: [401, true],
    faulty: [200, false],
  },
  staleIntrospection: {
    see: async (h) => {
      const token = String((await redeem(h))['access_token']);
      await h.form('/oauth2/revoke', { token, ...CLIENT });
      const isActive = async () =>
        (await h.form('/oauth2/introspect', { token, ...CLIENT })).body['active'];
      const [revoked, call] = [await isActive(), (await h.call(token)).status];
      h.clock.advance(HOUR);
      return [revoked, call, await isActive()];
    },
    good: [false, 401, false],
    // Once it has expired, no cache keeps it.
    faulty: [true, 401, false],
  },
} satisfies Readonly<Record<keyof typeof CROSS_APP_FAULTS, FaultCase>>;

const names = Object.keys(CROSS_APP_FAULTS) as (keyof typeof CROSS_APP_FAULTS)[];

it.each(names)('%s is seen by a client, and only while it is on', async (fault) => {
  const { faulty, good, see }: FaultCase = FAULTS[fault];
  const seen = async (faults: readonly ServiceFaultName[]) => {
    const h = await Harness.start({
      clients: [{ id: CLIENT.client_id, secret: CLIENT.client_secret }],
    });
    await h.service.controls.setFaults(faults);
    return see(h);
  };
  expect(await seen([])).toEqual(good);
  expect(await seen([fault])).toEqual(faulty);
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
