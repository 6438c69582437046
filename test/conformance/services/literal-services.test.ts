import { describe, expect, it } from 'vitest';
import { startAsShown } from './as-shown.ts';
import { startExpressDefaults } from './express-defaults.ts';
import { email, openWorld, serviceAuth } from './test-world.ts';

// What they do rightly, test/conformance/judged shows: here is what makes each of them the one that it is.

describe('the service that sends what the specification shows', () => {
  it('sends its members, and no other', async () => {
    const { agent, provider } = await openWorld(startAsShown);
    const members = async (answer: Promise<{ readonly body: object }>) =>
      Object.keys((await answer).body).toSorted();
    const anonymous = await agent.register({ type: 'anonymous' });
    const { identity_assertion: assertion, claim_token: claimToken } = anonymous.body;
    expect(Object.keys(anonymous.body).toSorted()).toEqual(['claim_token', 'identity_assertion']);
    expect(await members(agent.register(serviceAuth))).toEqual(['claim', 'claim_token']);
    const idJag = await provider.idJag(agent.issuer);
    const byIdJag = agent.register({ type: 'identity_assertion', assertion: idJag });
    expect(await members(byIdJag)).toEqual(['identity_assertion']);
    expect(await members(agent.exchange(assertion))).toEqual(['access_token']);
    expect((await agent.poll(claimToken)).body).toEqual({ error: 'authorization_pending' });
    const attempt = (await agent.claim(claimToken, email)).body['claim_attempt'];
    expect(Object.keys(attempt as object)).toEqual(['user_code', 'verification_uri']);
  });
});

describe('the service on Express with its defaults', () => {
  it('answers what it cannot read with the pages of Express', async () => {
    const { agent } = await openWorld(startExpressDefaults);
    const identity = `${agent.issuer}/agent/identity`;
    const headers = { 'content-type': 'application/json' };
    const broken = await fetch(identity, { method: 'POST', headers, body: '{' });
    expect([broken.status, broken.headers.get('content-type')]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
    expect((await fetch(identity, { method: 'POST' })).status).toBe(500);
    expect((await fetch(identity)).status).toBe(404);
    expect(await agent.call('x', 'POST')).toBe(404);
  });
});
