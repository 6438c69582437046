import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/runtime/index.ts';
import { ANSWER, Bench, ENDPOINT, failure, jwt, refusal, SERVICE } from './support/bench.ts';
import { json, members } from './support/fake-web.ts';

const OTHER = { email: 'Bob@Example.com' };

async function confirmation(): Promise<Bench> {
  const bench = new Bench();
  const block = ANSWER.serviceAuth({ registration_type: 'identity_assertion' });
  bench.web.on(ENDPOINT.identity, refusal('interaction_required', 401, block));
  const claims = { aud: SERVICE, exp: 4e9, email: 'alice@example.com', email_verified: true };
  await bench.agent.register({
    service: SERVICE,
    type: 'identity_assertion',
    assertion: new Secret(jwt({ iss: 'https://provider.example', ...claims })),
  });
  return bench;
}

async function byEmail(): Promise<Bench> {
  const bench = new Bench();
  await bench.serviceAuth();
  return bench;
}

async function claimedByEmail(): Promise<Bench> {
  const bench = await byEmail();
  bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
  await bench.agent.waitForClaim();
  return bench;
}

async function open(): Promise<Bench> {
  const bench = new Bench();
  await bench.anonymous();
  bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
  await bench.agent.startClaim({ email: 'alice@example.com' });
  return bench;
}

async function claimed(): Promise<Bench> {
  const bench = await open();
  bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
  await bench.agent.waitForClaim();
  return bench;
}

describe('a claim for another user than the registration is for', () => {
  it.each([
    ['of a registration by email', byEmail, 'email_fixed', 'usage'],
    ['of a confirmation', confirmation, 'email_fixed', 'usage'],
    ['of a registration by email that is claimed', claimedByEmail, 'email_fixed', 'usage'],
    ['of an anonymous one that is claimed', claimed, 'already_claimed', 'refused'],
  ])('%s is refused before anything is sent', async (_case, prepare, code, kind) => {
    const { agent, web } = await prepare();
    const before = web.requests.length;
    for (const refused of [agent.startClaim({ ...OTHER, renew: true }), agent.resumeClaim(OTHER)]) {
      expect(await failure(refused)).toMatchObject({
        code,
        kind,
        message: expect.stringContaining('alice@example.com'),
        hint: 'Register for bob@example.com.',
        next: { command: 'register', args: [SERVICE, '--email', 'bob@example.com'] },
      });
    }
    expect(web.requests).toHaveLength(before);
  });

  it('of an anonymous one that is not claimed is sent, stored and shown', async () => {
    const bench = await open();
    const started = await bench.agent.startClaim(OTHER);
    expect(members(bench.web.sent(ENDPOINT.claim)[1])).toMatchObject({ email: 'bob@example.com' });
    expect(started).toMatchObject({
      status: 'open',
      resumed: false,
      registration: { claim: { email: 'bob@example.com' } },
    });
    expect((await bench.stored()).claim?.email).toBe('bob@example.com');
    bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    await bench.agent.waitForClaim();
    expect((await bench.stored()).email).toBe('bob@example.com');
  });
});

describe('a claim for the user that the registration is for', () => {
  it.each([
    ['of a registration by email', byEmail],
    ['of a confirmation', confirmation],
  ])('%s goes on, however the email address is spelled', async (_case, prepare) => {
    const { agent } = await prepare();
    expect(await agent.startClaim({ email: 'ALICE@example.com' })).toMatchObject({
      status: 'open',
    });
  });
});
