import { expect, it } from 'vitest';
import type { ServiceFaultName } from '../../src/mock-service/index.ts';
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

/** One of each way to be wrong. What sees each fault is tested by `npm run test:judged`. */
const FAULTS = {
  uncheckedAudience: {
    exchange: async (h) => present(h, await h.provider.idJag({ aud: 'https://elsewhere.test' })),
    good: 'invalid_audience',
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
  ignoredRevocation: {
    exchange: async (h) => {
      const token = await accessToken(h);
      const revoked = await h.form('/oauth2/revoke', { token });
      return [revoked.status, (await h.call(token)).status];
    },
    good: [200, 401],
    faulty: [200, 200],
  },
  wrongIssuer: {
    exchange: async (h) =>
      (await h.send('GET', '/.well-known/oauth-authorization-server')).body['issuer'],
    good: BASE,
    faulty: 'https://other.example',
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

async function accessToken(h: Harness): Promise<string> {
  const { body } = await h.register({ type: 'anonymous' });
  return String((await h.exchange(body['identity_assertion'])).body['access_token']);
}
