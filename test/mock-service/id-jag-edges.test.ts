import { describe, expect, it } from 'vitest';
import { BASE, ceremonyOf, Harness, PROVIDER } from './harness.ts';

const ALICE = 'alice@example.com';

async function present(h: Harness, claims: Record<string, unknown> = {}) {
  return h.register({
    type: 'identity_assertion',
    assertion: await h.provider.idJag(claims),
  });
}

describe('an ID-JAG', () => {
  it('binds tokens to the resources that it names, each of which is ours', async () => {
    const h = await Harness.start();
    const [first, second] = [`${BASE}/api/resource`, `${BASE}/v2`];
    const { body } = await present(h, { resource: [first, second] });
    const granted = async (resource: string) =>
      (await h.exchange(body['identity_assertion'], { resource })).body;
    for (const named of [first, second]) {
      expect(await granted(named)).toMatchObject({ access_token: expect.anything() });
    }
    expect(await granted(BASE)).toMatchObject({ error: 'invalid_target' });
    const foreign = await present(h, { resource: [first, 'https://other.test'] });
    expect(foreign.body['error']).toBe('invalid_audience');
  });

  it('comes from an issuer with a final slash, as it is spelled', async () => {
    const issuer = `${PROVIDER}/`;
    const h = await Harness.start({ trust: [{ issuer }] });
    expect((await present(h, { iss: issuer, client_id: issuer })).status).toBe(200);
    const otherwise = await present(h, { client_id: issuer });
    expect(otherwise.body['error']).toBe('invalid_issuer');
  });

  it('buys no further tries at a code: the twentieth wrong one was the last', async () => {
    const h = await Harness.start({ users: [{ email: ALICE }] });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const asked = await present(h);
      expect(asked.body['error']).toBe('interaction_required');
      const ceremony = ceremonyOf(asked);
      const wrong = ceremony.user_code === '000000' ? '000001' : '000000';
      for (let tries = 0; tries < 5; tries += 1) await h.complete(ceremony, ALICE, wrong);
    }
    const { body, headers, status } = await present(h);
    expect([status, body['error']]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a revocation that comes late', () => {
  it('does not make good again what a later one has ended', async () => {
    const h = await Harness.start();
    const between = await h.provider.idJag({ iat: h.provider.now - 50 });
    const notify = async (toe: number) =>
      h.send('POST', '/agent/event/notify', {
        body: await h.provider.event({ toe }),
        headers: { 'content-type': 'application/secevent+jwt' },
      });
    expect((await notify(h.provider.now)).status).toBe(202);
    expect((await notify(h.provider.now - 100)).status).toBe(202);
    const { body } = await h.register({ type: 'identity_assertion', assertion: between });
    expect(body['error']).toBe('expired');
  });
});
