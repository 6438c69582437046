import { describe, expect, it } from 'vitest';
import { AgentError } from '../../src/agent/index.ts';
import { Secret } from '../../src/runtime/index.ts';
import {
  ANSWER,
  ENDPOINT,
  failure,
  jwt,
  lost,
  refusal,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { brokenOff, json, members } from './support/fake-web.ts';
import {
  ALICE,
  anonymously,
  byEmail,
  CODE_ENDPOINT,
  NESTED,
  nestedBench,
} from './support/nested.ts';

const code = new Secret('123 456');

describe('a service of the nested family', () => {
  it('is registered with anonymously: its assertion is exchanged for a token', async () => {
    const bench = await anonymously();
    const { dialect, token, assertion, refresh } = await bench.stored();
    expect(dialect).toBe('nested');
    expect(token?.value.reveal()).toBe('at_1');
    expect(assertion?.value.reveal()).toBe('assertion-1');
    expect(refresh).toBeUndefined();
  });

  it('is claimed by a code that its page shows', async () => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.claim, json(NESTED.started()));
    const open = await bench.agent.startClaim({ email: ALICE });
    expect(open).toMatchObject({
      status: 'open',
      ceremony: { kind: 'read_back', verificationUri: `${SERVICE}/agent-claim?token=cvt_1` },
    });
    expect(members(bench.web.sent(ENDPOINT.claim)[0])).toEqual({
      type: 'service_auth',
      claim_token: 'clm_1',
      login_hint: ALICE,
    });

    bench.web
      .on(CODE_ENDPOINT, json(NESTED.claimed()))
      .on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_claimed', scope: 'api.write' })));
    const outcome = await bench.another().submitCode({ code });
    expect(members(bench.web.sent(CODE_ENDPOINT)[0])).toEqual({
      claim_token: 'clm_1',
      user_code: '123456',
    });
    expect(outcome).toMatchObject({ status: 'claimed', token: { scopes: ['api.write'] } });
    const stored = await bench.stored();
    expect(stored).toMatchObject({ claimed: true, claim: null, email: ALICE });
    expect(stored.assertion?.value.reveal()).toBe('assertion-v2');
    expect(stored.refresh?.value.reveal()).toBe('art_1');
    expect(stored.token?.value.reveal()).toBe('at_claimed');
  });

  it('is asked once more in the flat form where its own is not understood', async () => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.claim, refusal('invalid_request'), json(NESTED.started()));
    expect((await bench.agent.startClaim({ email: ALICE })).status).toBe('open');
    expect(bench.web.sent(ENDPOINT.claim).map(members)).toEqual([
      { type: 'service_auth', claim_token: 'clm_1', login_hint: ALICE },
      { claim_token: 'clm_1', email: ALICE },
    ]);
  });

  it.each([
    ['invalid_request', 400, 2],
    ['invalid_claim_token', 401, 1],
  ])('is not asked a third time: %s', async (error, status, times) => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.claim, refusal(error, status));
    await failure(bench.agent.startClaim({ email: ALICE }));
    expect(bench.web.sent(ENDPOINT.claim)).toHaveLength(times);
  });

  it('waits for no poll: its claim needs the code', async () => {
    const bench = await byEmail();
    expect(await failure(bench.agent.waitForClaim())).toMatchObject({ code: 'code_needed' });
    expect(await failure(bench.agent.token())).toMatchObject({ code: 'code_needed' });
    expect(bench.web.sent(ENDPOINT.token)).toEqual([]);
  });

  it('lets a user confirm a link to an account', async () => {
    const bench = nestedBench();
    const body = { error: 'interaction_required', ...NESTED.serviceAuth({ id: 'reg_3' }) };
    bench.web.on(ENDPOINT.identity, json(body, 401)).on(CODE_ENDPOINT, json(NESTED.claimed()));
    const assertion = new Secret(jwt({ aud: SERVICE, iss: 'https://idp.example', sub: 'u1' }));
    const type = 'identity_assertion' as const;
    expect(await bench.agent.register({ service: SERVICE, type, assertion })).toMatchObject({
      status: 'claim_pending',
      ceremony: { kind: 'read_back' },
    });
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
  });
});

describe('what a service answers to a code', () => {
  it('not confirmed: the same code may come again', async () => {
    const bench = await byEmail();
    bench.web.on(CODE_ENDPOINT, refusal('claim_not_confirmed', 409), json(NESTED.claimed()));
    expect(await bench.agent.submitCode({ code })).toMatchObject({
      status: 'not_confirmed',
      ceremony: { kind: 'read_back', openable: true },
    });
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
  });

  it('wrong: the claim stays open, with the tries that are left', async () => {
    const bench = await byEmail();
    const left = (attempts_remaining: number) =>
      refusal('invalid_user_code', 401, { attempts_remaining });
    bench.web.on(CODE_ENDPOINT, refusal('invalid_user_code', 401), left(1), left(0));
    const submit = () => bench.agent.submitCode({ code });
    expect(await submit()).toMatchObject({ status: 'wrong_code', attemptsRemaining: undefined });
    expect(await submit()).toMatchObject({ status: 'wrong_code', attemptsRemaining: 1 });
    expect((await bench.stored()).claim?.attempt?.ended).toBeNull();
    expect(await submit()).toMatchObject({ status: 'wrong_code', attemptsRemaining: 0 });
    // That was the last: another needs another attempt.
    expect((await submit()).status).toBe('attempt_expired');
    expect(bench.web.sent(CODE_ENDPOINT)).toHaveLength(3);
  });

  it.each([
    ['user_code_expired', 410, 'attempt_expired', 'expired'],
    ['too_many_attempts', 429, 'attempt_expired', 'expired'],
    ['claim_denied', 403, 'denied', 'denied'],
  ])('%s ends the attempt, and asking again sends nothing', async (error, at, status, ended) => {
    const bench = await byEmail();
    bench.web.on(CODE_ENDPOINT, refusal(error, at));
    expect((await bench.agent.submitCode({ code })).status).toBe(status);
    expect((await bench.stored()).claim?.attempt?.ended).toBe(ended);
    expect((await bench.another().submitCode({ code })).status).toBe(status);
    expect(bench.web.sent(CODE_ENDPOINT)).toHaveLength(1);
  });

  it.each([
    ['claim_expired', 410, 25 * 60, 'window_over'],
    ['claim_revoked', 410, 0, 'revoked'],
    ['invalid_claim', 401, 0, 'revoked'],
  ])('%s ends the registration', async (error, at, minutes, status) => {
    const bench = await byEmail();
    bench.clock.advance(minutes * 60_000);
    bench.web.on(CODE_ENDPOINT, refusal(error, at));
    expect((await bench.agent.submitCode({ code })).status).toBe(status);
    expect((await bench.another().submitCode({ code })).status).toBe(status);
    expect(await bench.stored()).toMatchObject({ claim: null });
  });

  it('too many requests: nothing has ended', async () => {
    const bench = await byEmail();
    bench.web.on(CODE_ENDPOINT, refusal('rate_limit_exceeded', 429, { retry_after: 30 }));
    expect(await failure(bench.agent.submitCode({ code }))).toMatchObject({
      code: 'rate_limited',
      retryable: true,
    });
    expect((await bench.stored()).claim?.attempt?.ended).toBeNull();
  });
});

describe('a code whose answer does not come whole', () => {
  it('is not sent again by itself, and the error says what to do', async () => {
    const bench = await byEmail();
    bench.web.on(CODE_ENDPOINT, lost(), json(NESTED.claimed()));
    const error = await failure(bench.agent.submitCode({ code }));
    expect(error).toMatchObject({
      kind: 'network',
      hint: expect.stringContaining('Hand it in again'),
      next: { command: 'claim', args: ['--code', 'CODE'], needs: ['CODE'] },
    });
    expect(bench.web.sent(CODE_ENDPOINT)).toHaveLength(1);
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
  });

  it('is kept as far as it came', async () => {
    const bench = await byEmail();
    bench.web.on(CODE_ENDPOINT, () => brokenOff('{"id":"reg_2","identity":{"assertion":"a'));
    const error = await failure(bench.agent.submitCode({ code }));
    expect(error.message).toContain('kept as kept_');
    const [kept] = (await bench.agent.status()).notUnderstood;
    expect(kept).toMatchObject({ of: 'claimed', registrationId: 'reg_2', truncated: true });
    expect(kept?.body.reveal()).toContain('"assertion":"a');
  });

  it('is kept where it cannot be read', async () => {
    const bench = await byEmail();
    bench.web.on(
      CODE_ENDPOINT,
      json({ id: 'reg_2', status: 'claimed', identity: { assertion: 1 } }),
    );
    expect((await failure(bench.agent.submitCode({ code }))).code).toBe('bad_answer');
    expect((await bench.agent.status()).notUnderstood).toHaveLength(1);
  });

  it('was taken before: what the registration has is tried, and is over', async () => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.claim, json(NESTED.started()));
    await bench.agent.startClaim({ email: ALICE });
    bench.web
      .on(CODE_ENDPOINT, refusal('already_claimed', 409))
      .on(ENDPOINT.token, refusal('invalid_grant'));
    expect((await bench.agent.submitCode({ code })).status).toBe('revoked');
  });

  it('was taken before, by another process that stores it: both have it', async () => {
    const bench = await byEmail();
    const another = bench.another();
    bench.web.on(CODE_ENDPOINT, refusal('already_claimed', 409));
    bench.meanwhile = async () => {
      bench.web.on(CODE_ENDPOINT, json(NESTED.claimed()));
      await another.submitCode({ code });
    };
    const outcome = await bench.agent.submitCode({ code });
    expect(outcome).toMatchObject({ status: 'claimed', registration: { claimed: true } });
    expect(await bench.stored()).toMatchObject({ claimed: true, ended: null });
  });

  it('was taken by another process, while this one was told that the claim is gone', async () => {
    const bench = await byEmail();
    const another = bench.another();
    let others = 0;
    bench.web.on(CODE_ENDPOINT, async () => {
      others += 1;
      if (others > 1) return json(NESTED.claimed());
      await another.submitCode({ code });
      return refusal('invalid_claim_token', 401);
    });
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
    expect(await bench.stored()).toMatchObject({ claimed: true, ended: null });
  });

  it('is not to be handed in again where only the token of the claim is missing', async () => {
    const bench = await byEmail();
    bench.web
      .on(CODE_ENDPOINT, json(NESTED.claimed()))
      .on(ENDPOINT.token, refusal('invalid_request'));
    expect(await failure(bench.agent.submitCode({ code }))).toMatchObject({
      message: expect.stringContaining('is complete, and stored, but without a token'),
      next: { command: 'token', args: [] },
    });
    expect(await bench.stored()).toMatchObject({ claimed: true, claim: null });
  });

  it('was taken before: what the registration has still works', async () => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.claim, json(NESTED.started()));
    await bench.agent.startClaim({ email: ALICE });
    bench.web.on(CODE_ENDPOINT, refusal('already_claimed', 409));
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
    expect(await bench.stored()).toMatchObject({ claimed: true, claim: null });
  });

  it('is told where it could not be stored', async () => {
    const bench = await byEmail();
    bench.web.on(CODE_ENDPOINT, () => {
      const full = new AgentError('The disk is full.', { code: 'credentials_not_writable' });
      Object.assign(bench.store, { update: () => Promise.reject(full) });
      return json(NESTED.claimed());
    });
    expect(await failure(bench.agent.submitCode({ code }))).toMatchObject({
      code: 'credentials_not_writable',
      message: expect.stringContaining('is complete, but what the service gave for it, once,'),
    });
  });

  it('is in no error and no log, even where the service quotes it', async () => {
    const bench = await byEmail();
    bench.web.on(CODE_ENDPOINT, refusal('server_error', 500, { error_description: '123456?' }));
    const error = await failure(bench.agent.submitCode({ code: new Secret('123456') }));
    expect(error.message).toContain('…?');
    expect(bench.web.sent(CODE_ENDPOINT)).toHaveLength(1);
    const told = [error.message, error.hint, error.problem, bench.log.entries];
    expect(JSON.stringify(told)).not.toContain('123456');
  });
});

describe('a claim that is collected by the claim grant', () => {
  /** It lists the grant and gives nothing for the code itself. */
  async function polling(): ReturnType<typeof byEmail> {
    const bench = await byEmail();
    bench.web
      .on(ENDPOINT.serverMetadata, json(serverMetadata()))
      .on(CODE_ENDPOINT, json({ id: 'reg_2', status: 'claimed' }));
    bench.clock.advance(6 * 60_000);
    return bench;
  }

  it('is polled once', async () => {
    const bench = await polling();
    bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(1);
  });

  it('is not given up where it is not there yet', async () => {
    const bench = await polling();
    bench.web.on(ENDPOINT.token, refusal('authorization_pending'), json(ANSWER.claimed()));
    expect(await failure(bench.agent.submitCode({ code }))).toMatchObject({
      code: 'claim_pending',
      next: { command: 'claim' },
    });
    bench.web.on(CODE_ENDPOINT, refusal('already_claimed', 409));
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
  });
});
