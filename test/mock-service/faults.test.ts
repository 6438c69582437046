import { expect, it } from 'vitest';
import { SERVICE_FAULTS, type ServiceFaultName } from '../../src/mock-service/index.ts';
import { MINUTE } from '../../src/protocol/index.ts';
import { BASE, ceremonyOf, Harness } from './harness.ts';

/** Requests to a service, and what a client sees of the answers. */
type Exchange = (h: Harness) => Promise<unknown>;

/** The same exchange with a service without the fault and with it. */
interface FaultCase {
  readonly exchange: Exchange;
  readonly good: unknown;
  readonly faulty: unknown;
}

const ALICE = 'alice@example.com';

async function open(h: Harness, email = ALICE) {
  const { body } = await h.register({ type: 'anonymous' });
  const ceremony = ceremonyOf(await h.startClaim(body['claim_token'], email));
  return { body, ceremony };
}

async function present(h: Harness, idJag: string) {
  const { body, status } = await h.register({ type: 'identity_assertion', assertion: idJag });
  return body['error'] ?? status;
}

function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

/** Every other fault is tested by `npm run test:judged`. */
const FAULTS = {
  acceptedReplay: {
    exchange: async (h) => {
      const idJag = await h.provider.idJag();
      await present(h, idJag);
      return present(h, idJag);
    },
    good: 'replay_detected',
    faulty: 200,
  },
  uncheckedSignature: {
    exchange: async (h) => {
      const [head, , signature] = (await h.provider.idJag()).split('.');
      const [, forged] = (await h.provider.idJag({ sub: 'somebody-else' })).split('.');
      return present(h, `${head}.${forged}.${signature}`);
    },
    good: 'invalid_signature',
    faulty: 200,
  },
  uncheckedAudience: {
    exchange: async (h) => present(h, await h.provider.idJag({ aud: 'https://elsewhere.test' })),
    good: 'invalid_audience',
    faulty: 200,
  },
  uncheckedAuthTime: {
    exchange: async (h) => present(h, await h.provider.idJag({ auth_time: undefined })),
    good: 'login_required',
    faulty: 200,
  },
  noLinkConfirmation: {
    exchange: async (h) => present(h, await h.provider.idJag({ email: 'seed@example.com' })),
    good: 'interaction_required',
    faulty: 200,
  },
  noSlowDown: {
    exchange: async (h) => {
      const { body } = await open(h);
      await h.poll(body['claim_token']);
      return (await h.poll(body['claim_token'])).body['error'];
    },
    good: 'slow_down',
    faulty: 'authorization_pending',
  },
  extraSlowDown: {
    exchange: async (h) => (await h.poll((await open(h)).body['claim_token'])).body['error'],
    good: 'authorization_pending',
    faulty: 'slow_down',
  },
  noDelivery: {
    exchange: async (h) => {
      const body = await h.claimedAnonymous();
      const polled = await h.poll(body['claim_token']);
      return polled.body['error'] ?? polled.status;
    },
    good: 200,
    faulty: 'authorization_pending',
  },
  noTryLimit: {
    exchange: async (h) => {
      const { ceremony } = await open(h);
      const statuses: number[] = [];
      for (let tries = 0; tries < 7; tries += 1) {
        const page = await h.complete(ceremony, ALICE, wrong(ceremony.user_code));
        statuses.push(page.response.status);
      }
      return statuses.at(-1);
    },
    good: 'no form left',
    faulty: 400,
  },
  uncheckedClaimAccount: {
    exchange: async (h) => {
      const { ceremony } = await open(h);
      return (await h.complete(ceremony, 'eve@example.com')).response.status;
    },
    good: 'no form left',
    faulty: 200,
  },
  acceptedExpiredUserCode: {
    exchange: async (h) => {
      const { ceremony } = await open(h);
      h.clock.advance(11 * MINUTE);
      return (await h.complete(ceremony, ALICE)).response.status;
    },
    good: 'no form left',
    faulty: 200,
  },
  uncheckedClaimCsrf: {
    exchange: async (h) => {
      const { ceremony } = await open(h);
      const user = h.user();
      const page = await user.openSignedIn(ceremony.verification_uri, ALICE);
      const token = new URL(page.url).searchParams.get('claim_attempt_token') ?? '';
      const response = await user.request(`${BASE}/agent/identity/claim/complete`, {
        method: 'POST',
        headers: { origin: 'https://evil.example' },
        body: new URLSearchParams({
          claim_attempt_token: token,
          user_code: ceremony.user_code,
          decision: 'approve',
        }),
      });
      return response.status;
    },
    good: 403,
    faulty: 200,
  },
  extraPreClaimScope: {
    exchange: async (h) => {
      const { body } = await h.register({ type: 'anonymous' });
      return (await h.exchange(body['identity_assertion'])).body['scope'];
    },
    good: 'api.read',
    faulty: 'api.read api.write',
  },
  stalePreClaimTokens: {
    exchange: async (h) => {
      const { body, ceremony } = await open(h);
      const { access_token } = (await h.exchange(body['identity_assertion'])).body;
      await h.complete(ceremony, ALICE);
      return (await h.call(access_token)).status;
    },
    good: 401,
    faulty: 200,
  },
  stalePreClaimAssertion: {
    exchange: async (h) => {
      const body = await h.claimedAnonymous();
      const answer = await h.exchange(body['identity_assertion']);
      return answer.body['error'] ?? answer.status;
    },
    good: 'invalid_grant',
    faulty: 200,
  },
  ignoredRevocation: {
    exchange: async (h) => {
      const token = await accessToken(h);
      const revoked = await h.form('/oauth2/revoke', { token });
      return [revoked.status, (await h.call(token)).status];
    },
    good: [200, 401],
    faulty: [200, 200],
  },
  ignoredEvent: {
    exchange: async (h) => {
      const { body } = await h.register({
        type: 'identity_assertion',
        assertion: await h.provider.idJag(),
      });
      const told = await h.send('POST', '/agent/event/notify', {
        body: await h.provider.event(),
        headers: { 'content-type': 'application/secevent+jwt' },
      });
      return [told.status, (await h.exchange(body['identity_assertion'])).status];
    },
    good: [202, 400],
    faulty: [202, 200],
  },
  refusedToken: {
    exchange: async (h) => (await h.call(await accessToken(h))).status,
    good: 200,
    faulty: 401,
  },
  wrongTokenCacheControl: {
    exchange: async (h) => {
      const { body } = await h.register({ type: 'anonymous' });
      const { headers } = await h.exchange(body['identity_assertion']);
      return headers.get('cache-control');
    },
    good: 'no-store',
    faulty: 'max-age=60',
  },
  missingMetadataHint: {
    exchange: async (h) => {
      const { headers, status } = await h.send('GET', '/api/resource');
      return [status, headers.get('www-authenticate')?.includes('resource_metadata')];
    },
    good: [401, true],
    faulty: [401, false],
  },
  wrongResource: {
    exchange: async (h) =>
      (await h.send('GET', '/.well-known/oauth-protected-resource')).body['resource'],
    good: BASE,
    faulty: 'https://other.example',
  },
  wrongIssuer: {
    exchange: async (h) =>
      (await h.send('GET', '/.well-known/oauth-authorization-server')).body['issuer'],
    good: BASE,
    faulty: 'https://other.example',
  },
  trustedForwardedHost: {
    exchange: async (h) => {
      const headers = { 'x-forwarded-host': 'elsewhere.example' };
      const path = '/.well-known/oauth-authorization-server';
      return (await h.send('GET', path, { headers })).body['issuer'];
    },
    good: BASE,
    faulty: 'https://elsewhere.example',
  },
  unavailable: {
    exchange: async (h) => {
      const { headers, status } = await h.send('GET', '/.well-known/oauth-authorization-server');
      return [status, headers.has('retry-after')];
    },
    good: [200, false],
    faulty: [503, true],
  },
} satisfies Readonly<Partial<Record<ServiceFaultName, FaultCase>>>;

const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[];

it.each(names)('%s is seen from outside, and only while it is on', async (fault) => {
  const { exchange, good, faulty }: FaultCase = FAULTS[fault];
  const seen = async (on: readonly ServiceFaultName[]) => {
    const h = await Harness.start({ users: [{ email: 'seed@example.com' }] });
    await h.service.controls.setFaults(on);
    return exchange(h).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('No form')) return 'no form left';
      throw error;
    });
  };
  expect(await seen([])).toEqual(good);
  expect(await seen([fault])).toEqual(faulty);
});

it('unavailable answers in the shape of each place', async () => {
  const h = await Harness.start();
  await h.service.controls.setFaults(['unavailable']);
  const page = await h.send('GET', '/login');
  expect(page.headers.get('content-type')).toContain('text/html');
  const token = await h.form('/oauth2/token', {});
  expect(Object.keys(token.body)).toEqual(['error', 'error_description']);
  const event = await h.send('POST', '/agent/event/notify');
  expect(event.body['err']).toBe('temporarily_unavailable');
  const nothing = await h.send('PUT', '/nothing/here');
  expect(nothing.body['error']).toBe('temporarily_unavailable');
  for (const { headers, status } of [page, token, event, nothing]) {
    expect([status, headers.has('retry-after')]).toEqual([503, true]);
  }
});

it('every fault says what it does', () => {
  for (const fault of Object.values(SERVICE_FAULTS)) {
    expect(typeof fault === 'string' ? fault : fault.description).toMatch(/^[a-z].{10,}$/);
  }
});

async function accessToken(h: Harness): Promise<string> {
  const { body } = await h.register({ type: 'anonymous' });
  return String((await h.exchange(body['identity_assertion'])).body['access_token']);
}
