import { describe, expect, it } from 'vitest';
import { leadingZeros } from '../../src/agent/dialects/parts/proof-of-work.ts';
import { hashOf, Secret } from '../../src/runtime/index.ts';
import { ANSWER, Bench, ENDPOINT, failure, SERVICE } from './support/bench.ts';
import { json, members } from './support/fake-web.ts';

const MEMBERS = { client_id: 'pagespace-agent' };
const COMPLETE = `POST ${SERVICE}/agent/identity/claim/complete`;

describe('members that a service demands', () => {
  it('go with every request, and are remembered', async () => {
    const bench = new Bench({ members: MEMBERS });
    await bench.anonymous();
    expect(await bench.stored()).toMatchObject({ members: MEMBERS });
    expect(members(bench.web.sent(ENDPOINT.identity)[0])).toEqual({
      ...MEMBERS,
      type: 'anonymous',
    });
    expect(members(bench.web.sent(ENDPOINT.token)[0])).toMatchObject(MEMBERS);

    const later = bench.another();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    await later.startClaim({ email: 'alice@example.com' });
    expect(members(bench.web.sent(ENDPOINT.claim)[0])).toMatchObject(MEMBERS);
    await later.token({ renew: true });
    expect(members(bench.web.sent(ENDPOINT.token)[1])).toMatchObject(MEMBERS);
    bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    await later.waitForClaim({});
    expect(members(bench.web.sent(ENDPOINT.token)[2])).toMatchObject({
      ...MEMBERS,
      claim_token: 'clm_1',
    });
    bench.web.on(ENDPOINT.revoke, json({}));
    await later.revoke({});
    expect(members(bench.web.sent(ENDPOINT.revoke)[0])).toMatchObject(MEMBERS);
  });

  it('go with a code that is handed in', async () => {
    const bench = new Bench();
    bench.web
      .on(
        ENDPOINT.identity,
        json({ registration_id: 'reg_1', credential: 'sk_1', claim_token: 'clm_1' }),
      )
      .on(ENDPOINT.claim, json({ claim_attempt_id: 'cla_1', status: 'initiated' }))
      .on(COMPLETE, json({ status: 'claimed' }));
    await bench.agent.register({ service: SERVICE, type: 'anonymous', members: MEMBERS });
    await bench.agent.startClaim({ email: 'alice@example.com' });
    bench.web.on(ENDPOINT.token, json({ access_token: 'sk_2', credential_type: 'api_key' }));
    const done = await bench.agent.submitCode({ code: new Secret('012345') });
    expect(members(bench.web.sent(COMPLETE)[0])).toEqual({
      ...MEMBERS,
      claim_token: 'clm_1',
      otp: '012345',
    });
    expect(done).toMatchObject({ status: 'claimed', token: { direct: true, expiresAt: null } });
  });

  it('are none where nobody named any', async () => {
    const bench = new Bench();
    await bench.anonymous();
    expect((await bench.stored()).members).toBeUndefined();
    expect(members(bench.web.sent(ENDPOINT.identity)[0])).toEqual({ type: 'anonymous' });
  });

  it('are what a refusal may be about, which is said', async () => {
    const bench = new Bench();
    const words = { error: 'invalid_request', message: 'client_id is missing.' };
    bench.web.on(ENDPOINT.identity, json(words, 400));
    const error = await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    expect(error.message).toContain('client_id is missing.');
    expect(error.hint).toContain('--member NAME=VALUE');
  });

  it.each<[string, Record<string, string>]>([
    ['has no name', { '': 'x' }],
    ['has a name of two words', { 'client id': 'x' }],
    ['has no value', { client_id: '' }],
    ['is the protocol’s own', { claim_token: 'clm_2' }],
    ['would ask for something else', { type: 'service_auth' }],
  ])('are refused where one %s', async (_what, given) => {
    const bench = new Bench();
    const asked = bench.agent.register({ service: SERVICE, type: 'anonymous', members: given });
    expect((await failure(asked)).code).toBe('bad_member');
    expect(bench.web.sent(ENDPOINT.identity)).toEqual([]);
  });
});

describe('a service that wants work before it registers', () => {
  const challenge = (nonce: string) => ({ algorithm: 'sha3-256', bits: 8, nonce });
  const demand = (nonce: string) =>
    json({ error: 'proof_of_work_required', challenge: challenge(nonce) }, 400);

  function workIn(sent: unknown): { readonly nonce: string; readonly zeros: number } {
    const { nonce, solution } = (sent as { proof_of_work: Record<string, string> }).proof_of_work;
    return {
      nonce: String(nonce),
      zeros: leadingZeros(hashOf('sha3-256', `${nonce}:${solution}`)),
    };
  }

  it('gets it for the challenge of its refusal', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, demand('n-1'), demand('n-2'), json(ANSWER.anonymous()));
    const outcome = await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    expect(outcome.status).toBe('registered');
    const [bare, ...others] = bench.web.sent(ENDPOINT.identity).map(members);
    expect(bare).toEqual({ type: 'anonymous' });
    const worked = others.map(workIn);
    expect(worked.map(({ nonce }) => nonce)).toEqual(['n-1', 'n-2']);
    expect(Math.min(...worked.map(({ zeros }) => zeros))).toBeGreaterThanOrEqual(8);
  });

  it('is given up where it is never content', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, demand('n-1'));
    const error = await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    expect(error.problem?.sent).toBe('proof_of_work_required');
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(3);
  });

  it.each(['POST', 'GET'])('gets it for the challenge of its endpoint (%s)', async (method) => {
    const bench = new Bench();
    const discovered = await bench.agent.discover({ address: SERVICE });
    const service = { ...discovered.service, challengeEndpoint: `${SERVICE}/agent/challenge` };
    bench.web
      .on(`${method} ${SERVICE}/agent/challenge`, json({ challenge: challenge('n-9') }))
      .on(ENDPOINT.identity, json(ANSWER.anonymous()));
    await bench.agent.register({ service: { ...discovered, service }, type: 'anonymous' });
    expect(workIn(members(bench.web.sent(ENDPOINT.identity)[0]))).toMatchObject({ nonce: 'n-9' });
  });

  it('gets none for a challenge elsewhere', async () => {
    const bench = new Bench();
    const discovered = await bench.agent.discover({ address: SERVICE });
    const service = { ...discovered.service, challengeEndpoint: 'https://other.example/challenge' };
    const asked = bench.agent.register({ service: { ...discovered, service }, type: 'anonymous' });
    expect((await failure(asked)).code).toBe('foreign_origin');
  });
});
