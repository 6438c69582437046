import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/runtime/index.ts';
import { typeThere } from '../../support/type-there.ts';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  later,
  pending,
  refusal,
  SERVICE,
} from '../support/bench.ts';
import { json, members } from '../support/fake-web.ts';

const START = Date.UTC(2026, 0, 1);
const alice = { email: 'alice@example.com' };

function byEmail({ agent }: Bench) {
  return agent.register({ service: SERVICE, type: 'service_auth', loginHint: alice.email });
}

async function registered(answer: object): Promise<Bench> {
  const bench = new Bench();
  bench.web.on(ENDPOINT.identity, json(answer));
  await byEmail(bench);
  return bench;
}

describe('when something ends, in an answer of a flat service', () => {
  it.each<[string, unknown, number | null]>([
    ['RFC 3339', later(30), START + 30 * 60_000],
    ['seconds since the epoch', START / 1000 + 1800, START + 30 * 60_000],
    ['milliseconds since the epoch', START + 30 * 60_000, START + 30 * 60_000],
    ['seconds from now', 1800, START + 30 * 60_000],
    ['null', null, null],
  ])('is read from %s', async (_what, end, instant) => {
    const bench = new Bench();
    await bench.anonymous({ assertion_expires: end, claim_token_expires: end });
    const { assertion, claim } = await bench.stored();
    expect(assertion?.expiresAt).toBe(instant);
    expect(claim?.expiresAt).toBe(instant);
  });

  it.each([
    ['expires_at as text', { expires_at: later(7) }],
    ['expires_at in seconds', { expires_at: START / 1000 + 420 }],
    ['expires_at in milliseconds', { expires_at: START + 420_000 }],
    ['expires_in', { expires_in: 420 }],
    ['expires_in before expires_at', { expires_in: 420, expires_at: later(99) }],
  ])('is the end of a code by %s', async (_what, times) => {
    const claim = { user_code: '012345', verification_uri: `${SERVICE}/login`, ...times };
    const bench = await registered(ANSWER.serviceAuth({ claim }));
    expect((await bench.stored()).claim?.attempt?.expiresAt).toBe(START + 420_000);
  });

  it('is not spoilt by an expires_at that is no time', async () => {
    const claim = ANSWER.block({ expires_in: undefined, expires_at: 'soon' });
    const bench = await registered(ANSWER.serviceAuth({ claim }));
    expect((await bench.stored()).claim?.attempt?.expiresAt).toBe(START + 600_000);
  });
});

describe('a code of a flat service', () => {
  it.each(['A1B2C3', 'ABCD-2345', 'WDJB-MJHT', '000001', 'ab12cd'])(
    'may be %s',
    async (user_code) => {
      const bench = await registered(ANSWER.serviceAuth({ claim: ANSWER.block({ user_code }) }));
      const outcome = await bench.agent.resumeClaim();
      if (outcome.status !== 'open') throw new Error(outcome.status);
      expect(typeThere(outcome.ceremony).userCode.reveal()).toBe(user_code);
    },
  );

  it.each([
    [
      'its own page',
      { verification_uri_complete: `${SERVICE}/claim?user_code=012345` },
      `${SERVICE}/login?return_to=%2Fclaim`,
    ],
    [
      'the one with the code alone',
      {
        verification_uri: undefined,
        verification_uri_complete: `${SERVICE}/claim?user_code=012345`,
      },
      `${SERVICE}/claim`,
    ],
    [
      'verification_url',
      { verification_uri: undefined, verification_url: `${SERVICE}/device` },
      `${SERVICE}/device`,
    ],
  ])('is typed on %s, which never has the code in it', async (_what, over, page) => {
    const bench = await registered(ANSWER.serviceAuth({ claim: ANSWER.block(over) }));
    const { attempt } = (await bench.stored()).claim ?? {};
    expect(attempt).toMatchObject({ kind: 'type_there', verificationUri: page });
    expect(JSON.stringify(attempt)).not.toContain('012345');
  });

  it('may stand in the start of a claim without a block of its own', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, json(ANSWER.block({ user_code: 'ABCD-2345' })));
    expect(await bench.agent.startClaim(alice)).toMatchObject({ status: 'open' });
    expect((await bench.stored()).claim?.attempt).toMatchObject({
      kind: 'type_there',
      interval: 5000,
    });
  });
});

describe('the token of a completed claim', () => {
  it.each([
    ['expires_in as text', { expires_in: '3600' }],
    ['scope as a list', { scope: ['api.read', 'api.write'] }],
  ])('was lost to %s: it is read, with a warning', async (_what, over) => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    bench.web.on(ENDPOINT.token, json({ ...ANSWER.claimed(), expires_in: 3600, ...over }));
    await bench.agent.startClaim(alice);
    const outcome = await bench.agent.waitForClaim();
    expect(outcome).toMatchObject({
      status: 'claimed',
      warnings: [{ code: 'token_member_type' }],
    });
    const { token } = await bench.stored();
    expect(token?.expiresAt).toBe(bench.agent.now(SERVICE) + 3_600_000);
    if ('scope' in over) expect(token?.scopes).toEqual(over.scope);
  });
});

describe('a registration at a flat service', () => {
  it('may give a token at once, and an assertion with the claim', async () => {
    const bench = new Bench();
    bench.web.on(
      ENDPOINT.identity,
      json({
        registration_id: 'areg_1',
        registration_type: 'anonymous',
        access_token: 'at_direct',
        token_type: 'Bearer',
        expires_in: 3600,
        scopes: ['api.read'],
        claim_token: 'clm_1',
        claim_uri: `${SERVICE}/agent/identity/claim`,
      }),
    );
    const outcome = await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    expect(outcome).toMatchObject({
      status: 'registered',
      registration: { id: 'areg_1', assertion: null },
    });
    expect((await bench.agent.token()).value.reveal()).toBe('at_direct');
    expect(bench.web.sent(ENDPOINT.token)).toEqual([]);
    expect(await bench.stored()).toMatchObject({
      dialect: 'flat',
      token: { direct: true, expiresAt: START + 3_600_000 },
      claim: { url: `${SERVICE}/agent/identity/claim` },
    });
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt())).on(ENDPOINT.token, json(ANSWER.claimed()));
    await bench.agent.startClaim(alice);
    expect(await bench.agent.waitForClaim()).toMatchObject({ status: 'claimed' });
    expect(await bench.stored()).toMatchObject({ assertion: {}, claimed: true });
  });

  it('may have no claim: its assertion is all there is', async () => {
    const bench = new Bench();
    bench.web.on(
      ENDPOINT.identity,
      json({ registration_id: 'reg_1', identity_assertion: 'ps_agent_1' }),
    );
    expect((await bench.agent.register({ service: SERVICE, type: 'anonymous' })).status).toBe(
      'registered',
    );
    expect((await failure(bench.agent.startClaim(alice))).code).toBe('no_claim');
  });

  it('may have its claim opened later', async () => {
    const bench = await registered(ANSWER.serviceAuth({ claim: undefined }));
    expect((await bench.stored()).claim).toMatchObject({ attempt: null, email: alice.email });
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    expect((await bench.agent.startClaim()).status).toBe('open');
  });

  it('that gives nothing is no registration', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json({ ok: true }));
    expect((await failure(byEmail(bench))).code).toBe('bad_answer');
  });
});

describe('a code that comes by mail, at a service with flat members', () => {
  const answer = {
    claim_token: 'clm_x',
    claim_token_expires: later(24 * 60),
    claim: {
      complete_url: `${SERVICE}/agent/identity/claim/complete`,
      expires_in: 600,
      interval: 5,
    },
  };
  const COMPLETE = `POST ${SERVICE}/agent/identity/claim/complete`;

  it('is asked for, handed in as user_code, and its key is collected once', async () => {
    const bench = await registered(answer);
    const open = await bench.agent.resumeClaim();
    expect(open).toMatchObject({
      status: 'open',
      ceremony: { kind: 'read_back', verificationUri: null, mailedTo: alice.email },
    });
    const key = { access_token: 'key_1', token_type: 'Bearer', credential_type: 'api_key' };
    bench.web
      .on(COMPLETE, json({ status: 'claimed' }))
      .on(ENDPOINT.token, json(key), refusal('invalid_grant'));
    const outcome = await bench.agent.submitCode({ code: new Secret('123456') });
    expect(outcome).toMatchObject({ status: 'claimed', token: { direct: true, expiresAt: null } });
    expect(members(bench.web.sent(COMPLETE)[0])).toEqual({
      claim_token: 'clm_x',
      user_code: '123456',
    });
    expect((await bench.agent.token({ renew: true })).value.reveal()).toBe('key_1');
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(1);
  });

  it('that was tried too often is over: another is asked for', async () => {
    const bench = await registered(answer);
    bench.web.on(COMPLETE, refusal('code_dead', 410));
    const outcome = await bench.agent.submitCode({ code: new Secret('123456') });
    expect(outcome.status).toBe('attempt_expired');
    expect((await bench.stored()).claim).not.toBeNull();
  });
});

describe('the end of a claim at a flat service', () => {
  async function opened(...polls: [Response, ...Response[]]) {
    const bench = await registered(ANSWER.serviceAuth());
    bench.web.on(ENDPOINT.token, ...polls);
    return bench;
  }

  it.each([
    ['access_denied with 403', refusal('access_denied', 403), 'denied'],
    ['claim_denied with a message', json({ error: 'claim_denied', message: 'No.' }, 403), 'denied'],
    [
      'expired_token with a message',
      json({ error: 'expired_token', message: 'Late.' }, 400),
      'attempt_expired',
    ],
    [
      'a nested expired_token',
      json({ error: { code: 'expired_token', message: 'Late.' } }, 400),
      'attempt_expired',
    ],
    ['invalid_grant', refusal('invalid_grant'), 'revoked'],
    ['a success that says denied', json({ status: 'denied' }), 'denied'],
    ['a success that says expired', json({ status: 'expired' }), 'attempt_expired'],
  ])('is told by %s', async (_what, reply, status) => {
    const bench = await opened(pending(), reply);
    expect((await bench.agent.waitForClaim()).status).toBe(status);
  });

  it('is waited for through a 429 without a code, and one that says for how long', async () => {
    const bench = await opened(
      json({ message: 'Slow.' }, 429, { 'retry-after': '20' }),
      json({ error: 'rate_limit_exceeded', retry_after: 30 }, 429),
      json(ANSWER.claimed()),
    );
    expect((await bench.agent.waitForClaim()).status).toBe('claimed');
    expect(bench.sleeps).toEqual([5000, 20_000, 30_000]);
  });

  it('is waited for through a success that says pending', async () => {
    const bench = await opened(
      json({ status: 'pending' }),
      json(ANSWER.claimed({ status: 'pending' })),
    );
    expect((await bench.agent.waitForClaim()).status).toBe('claimed');
    expect((await bench.agent.status()).notUnderstood).toEqual([]);
  });

  it('is collected once: what was redeemed is not redeemed again', async () => {
    const bench = await opened(json(ANSWER.claimed()), refusal('invalid_grant'));
    expect((await bench.agent.waitForClaim()).status).toBe('claimed');
    expect((await bench.agent.waitForClaim()).status).toBe('claimed');
    expect((await bench.agent.token()).value.reveal()).toBe('at_claimed');
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(1);
  });

  it('leaves the tokens of before alone where the service does', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt())).on(ENDPOINT.token, json(ANSWER.claimed()));
    await bench.agent.startClaim(alice);
    await bench.agent.waitForClaim();
    const posted = bench.web.requests.filter(({ url }) => url.endsWith('/revoke'));
    expect(posted).toEqual([]);
    expect((await bench.stored()).token?.value.reveal()).toBe('at_claimed');
  });
});
