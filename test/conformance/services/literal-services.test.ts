import { describe, expect, it } from 'vitest';
import { startAsShown } from './as-shown.ts';
import { startExpressDefaults } from './express-defaults.ts';
import { ceremonyOf } from './test-agent.ts';
import { TestVisitor } from './test-visitor.ts';
import { email, enterCode, openWorld, type Start, serviceAuth } from './test-world.ts';

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

  it('ends an attempt after five wrong codes', async () => {
    const { agent } = await openWorld(startExpressDefaults);
    const registered = await agent.register(serviceAuth);
    const { code, uri } = ceremonyOf(registered);
    for (let tries = 0; tries < 5; tries += 1) await enterCode(uri, 'x', email);
    await expect(enterCode(uri, code, email)).rejects.toThrow('no form');
    const polled = await agent.poll(registered.body['claim_token']);
    expect(polled.body['error']).toBe('expired_token');
  });

  it('takes an ID-JAG once, and only for a verified email', async () => {
    const { agent, provider } = await openWorld(startExpressDefaults);
    const send = async (assertion: string) =>
      (await agent.register({ type: 'identity_assertion', assertion })).status;
    const idJag = await provider.idJag(agent.issuer);
    expect([await send(idJag), await send(idJag)]).toEqual([200, 400]);
    expect(await send(await provider.idJag(agent.issuer, { email_verified: false }))).toBe(400);
  });
});

describe.each<[string, Start]>([
  ['that sends what the specification shows', startAsShown],
  ['on Express with its defaults', startExpressDefaults],
])('the service %s', (_, start) => {
  it('lets the account of the email complete a claim, and no other', async () => {
    const { agent } = await openWorld(start);
    const registered = await agent.register(serviceAuth);
    const claimToken = registered.body['claim_token'];
    const { code, uri } = ceremonyOf(registered);
    expect((await new TestVisitor().signIn(uri, 'eve@example.com')).response.status).toBe(403);
    expect((await agent.poll(claimToken)).body['error']).toBe('authorization_pending');
    expect((await enterCode(uri, code, email)).response.status).toBe(200);
    const claimed = (await agent.poll(claimToken)).body;
    expect(await agent.call(claimed['access_token'])).toBe(200);
    expect((await agent.exchange(claimed['identity_assertion'])).status).toBe(200);
  });

  it('has nothing on its page to deny with', async () => {
    const { agent } = await openWorld(start);
    const { uri } = ceremonyOf(await agent.register(serviceAuth));
    const visitor = new TestVisitor();
    const visit = await visitor.signIn(uri, email);
    expect(visit.text.match(/<button/g)).toHaveLength(1);
    await expect(async () => visitor.press(visit, /deny|refuse/i)).rejects.toThrow('no button');
  });

  it('gives a claimed anonymous agent a second assertion, in place of the first', async () => {
    const { agent } = await openWorld(start);
    const { body } = await agent.register({ type: 'anonymous' });
    const { code, uri } = ceremonyOf(await agent.claim(body['claim_token'], email));
    await enterCode(uri, code, email);
    const claimed = (await agent.poll(body['claim_token'])).body;
    expect((await agent.exchange(body['identity_assertion'])).status).toBe(400);
    expect((await agent.exchange(claimed['identity_assertion'])).status).toBe(200);
  });

  it('says expired_token when the code is over, and gives a fresh one', async () => {
    const { agent, clock } = await openWorld(start);
    const claimToken = (await agent.register(serviceAuth)).body['claim_token'];
    clock.now += 11 * 60_000;
    expect((await agent.poll(claimToken)).body['error']).toBe('expired_token');
    const { code, uri } = ceremonyOf(await agent.claim(claimToken, email));
    await enterCode(uri, code, email);
    expect((await agent.poll(claimToken)).status).toBe(200);
  });

  it('answers an ID-JAG for an existing account with 200', async () => {
    const { agent, provider } = await openWorld(start);
    const { code, uri } = ceremonyOf(await agent.register(serviceAuth));
    await enterCode(uri, code, email);
    const assertion = await provider.idJag(agent.issuer);
    const registered = await agent.register({ type: 'identity_assertion', assertion });
    expect(registered.status).toBe(200);
    expect((await agent.exchange(registered.body['identity_assertion'])).status).toBe(200);
  });

  it('ends what a provider or the agent revokes', async () => {
    const { agent, provider, clock } = await openWorld(start);
    const assertion = await provider.idJag(agent.issuer);
    const { body } = await agent.register({ type: 'identity_assertion', assertion });
    const tokenOf = async () =>
      (await agent.exchange(body['identity_assertion'])).body['access_token'];
    const [first, second] = [await tokenOf(), await tokenOf()];
    await agent.revoke(first);
    expect([await agent.call(first), await agent.call(second)]).toEqual([401, 200]);
    clock.now += 1000;
    expect((await agent.notify(await provider.event(agent.issuer))).status).toBeLessThan(300);
    expect(await agent.call(second)).toBe(401);
    expect((await agent.exchange(body['identity_assertion'])).body['error']).toBe('invalid_grant');
  });
});
