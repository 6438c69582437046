import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/runtime/index.ts';
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

  it('count for a registration that is there, too', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const request = { service: SERVICE, type: 'anonymous', reuse: true, members: MEMBERS } as const;
    expect(await bench.agent.register(request)).toMatchObject({ already: true });
    expect(await bench.stored()).toMatchObject({ members: MEMBERS });
  });

  it('are asked for in the words of the service, which wants a client_id', async () => {
    const bench = new Bench();
    bench.web.on(
      ENDPOINT.identity,
      json({ error: 'invalid_client', error_description: 'client_id required' }, 401),
    );
    const error = await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    expect(error.message).toContain('client_id required');
    expect(error.message).not.toContain('not supported');
    expect(error.hint).toContain('--member client_id=');
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
  it.each<[string, object]>([
    ['a challenge', { error: 'invalid_request', challenge: { bits: 20, nonce: 'n' } }],
    ['a challenge in an error object', { error: { code: 'no', challenge: { bits: 20 } } }],
    ['a code', { error: 'proof_of_work_required' }],
    ['its words', { error: 'invalid_request', error_description: 'A proof of work is missing.' }],
  ])('is not asked again, and %s says why', async (_what, refusal) => {
    const bench = new Bench();
    const words = { error_description: 'Solve this first: a proof of work.' };
    bench.web.on(ENDPOINT.identity, json({ ...words, ...refusal }, 400));
    const error = await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    expect(error).toMatchObject({ code: 'not_offered', kind: 'refused' });
    expect(error.message).toContain('asks for a proof of work');
    expect(error.message).toMatch(/It says: ".*proof of work/i);
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
  });
});
