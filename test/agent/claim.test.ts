import { describe, expect, it } from 'vitest';
import type { WaitEvent } from '../../src/agent/index.ts';
import { typeThere } from '../support/type-there.ts';
import {
  ANSWER,
  Bench,
  CLAIM_GRANT,
  ENDPOINT,
  failure,
  later,
  lost,
  pending,
  refusal,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { html, json, members, type Reply } from './support/fake-web.ts';

const alice = { email: 'alice@example.com' };

/** An anonymous registration with an open attempt, and these answers to its polls. */
async function opened(...polls: [Reply, ...Reply[]]): Promise<Bench> {
  const bench = new Bench();
  await bench.anonymous();
  bench.web.on(ENDPOINT.claim, json(ANSWER.attempt())).on(ENDPOINT.token, ...polls);
  await bench.agent.startClaim(alice);
  return bench;
}

function polls({ web }: Bench) {
  return web.sent(ENDPOINT.token).filter((request) => members(request)['claim_token']);
}

describe('opening a claim', () => {
  it('sends the claim token and the email address, and nothing else', async () => {
    const bench = await opened(pending());
    expect(members(bench.web.sent(ENDPOINT.claim)[0])).toEqual({
      claim_token: 'clm_1',
      email: 'alice@example.com',
    });
    expect((await bench.stored()).claim).toMatchObject({
      email: 'alice@example.com',
      attempt: { interval: 5000, ended: null },
    });
  });

  it('needs an email address, and names the option for it', async () => {
    const bench = new Bench();
    await bench.anonymous();
    expect(await failure(bench.agent.startClaim())).toMatchObject({
      code: 'bad_email',
      kind: 'usage',
      next: { command: 'claim', args: ['--email', 'EMAIL'], needs: ['EMAIL'] },
    });
  });

  it('resumes an open attempt, in another process too', async () => {
    const bench = await opened(pending());
    const resumed = await bench.another().startClaim();
    expect(resumed).toMatchObject({ status: 'open', resumed: true });
    if (resumed.status !== 'open') throw new Error(resumed.status);
    expect(typeThere(resumed.ceremony).userCode.reveal()).toBe('012345');
    expect(resumed.ceremony.openable).toBe(true);
    expect(bench.web.sent(ENDPOINT.claim)).toHaveLength(1);
  });

  it.each([
    ['asked to', { renew: true }],
    ['another email address is given', { email: 'bob@example.com' }],
  ])('opens another attempt when %s', async (_what, request) => {
    const bench = await opened(pending());
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt({ user_code: '999999' })));
    const again = await bench.agent.startClaim(request);
    if (again.status !== 'open') throw new Error(again.status);
    expect(again.resumed).toBe(false);
    expect(typeThere(again.ceremony).userCode.reveal()).toBe('999999');
  });

  it('opens another attempt once the last is over, with the email address on record', async () => {
    const bench = await opened(pending());
    bench.clock.advance(600_000);
    expect(await bench.agent.startClaim()).toMatchObject({ status: 'open', resumed: false });
    expect(members(bench.web.sent(ENDPOINT.claim)[1])['email']).toBe('alice@example.com');
  });

  it('collects the claim when it is complete already', async () => {
    const bench = await opened(json(ANSWER.claimed()));
    bench.web.on(ENDPOINT.claim, refusal('claimed_or_in_flight', 409));
    expect(await bench.agent.startClaim({ renew: true })).toMatchObject({ status: 'claimed' });
    expect(await bench.stored()).toMatchObject({ claimed: true, claim: null });
  });

  it('says that a claimed registration needs no claim', async () => {
    const bench = await opened(json(ANSWER.claimed()));
    await bench.agent.waitForClaim();
    expect(await failure(bench.agent.startClaim(alice))).toMatchObject({ code: 'already_claimed' });
  });

  it.each([
    ['over', later(24 * 60), 24 * 60 * 60_000, 'window_over', 'expired'],
    ['revoked', later(24 * 60), 0, 'revoked', 'revoked'],
  ])('finds the registration %s', async (_what, _end, pass, status, ended) => {
    const bench = await opened(pending());
    bench.clock.advance(pass);
    bench.web.on(ENDPOINT.claim, refusal('claim_expired', 410));
    expect((await bench.agent.startClaim({ renew: true })).status).toBe(status);
    expect(await bench.stored()).toMatchObject({ ended, claim: null });
  });

  it.each([
    ['email_mismatch', 403, 'refused', undefined],
    ['too_many_attempts', 429, 'refused', undefined],
    ['invalid_claim_token', 401, 'not_registered', 'register'],
  ])('passes on %s', async (code, status, kind, command) => {
    const bench = await opened(pending());
    bench.web.on(ENDPOINT.claim, refusal(code, status));
    const error = await failure(bench.agent.startClaim({ renew: true }));
    expect(error).toMatchObject({ code, kind });
    expect(error.next?.command).toBe(command);
    // What was open before stays open here; the service alone knows better.
    expect((await bench.stored()).claim?.attempt).not.toBeNull();
  });

  it('tells what is stored without opening anything', async () => {
    const bench = new Bench();
    await bench.anonymous();
    expect((await bench.agent.resumeClaim()).status).toBe('not_started');
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    await bench.agent.startClaim(alice);
    expect(await bench.agent.resumeClaim()).toMatchObject({ status: 'open', resumed: true });
    bench.clock.advance(600_000);
    expect((await bench.agent.resumeClaim()).status).toBe('attempt_expired');
    bench.clock.advance(24 * 60 * 60_000);
    expect((await bench.agent.resumeClaim()).status).toBe('window_over');
    expect(bench.web.sent(ENDPOINT.claim)).toHaveLength(1);
  });
});

describe('waiting for a claim', () => {
  it('polls with the grant that the service lists, first after one interval', async () => {
    const bench = await opened(pending(), json(ANSWER.claimed()));
    const shown = bench.clock.now();
    const outcome = await bench.agent.waitForClaim();
    expect(polls(bench).map(({ at }) => at - shown)).toEqual([5000, 10_000]);
    expect(members(polls(bench)[0])).toEqual({ grant_type: CLAIM_GRANT, claim_token: 'clm_1' });
    expect(outcome).toMatchObject({
      status: 'claimed',
      token: { scopes: ['api.read', 'api.write'] },
    });
  });

  it('keeps the new assertion and token, and drops the claim token', async () => {
    const bench = await opened(json(ANSWER.claimed()));
    await bench.agent.waitForClaim();
    const { assertion, token, claim, claimed, email } = await bench.stored();
    expect(assertion?.value.reveal()).toBe('assertion-v2');
    expect(token?.value.reveal()).toBe('at_claimed');
    expect({ claim, claimed, email }).toEqual({ claim: null, claimed: true, ...alice });
  });

  it('lost the scopes of the completion at the next exchange, which named none', async () => {
    const bench = await opened(json(ANSWER.claimed({ scope: 'api.read api.admin' })));
    await bench.agent.waitForClaim();
    const scopes = ['api.read', 'api.admin'];
    expect((await bench.stored()).postClaimScopes).toEqual(scopes);
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ scope: undefined })));
    expect(await bench.another().token({ renew: true })).toMatchObject({ fresh: true, scopes });
  });

  it('sent its user to a page and said only then that no claim grant is listed', async () => {
    const bench = new Bench();
    const grants = { grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] };
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata(grants)));
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    const warnings = [{ code: 'no_claim_grant' }];
    expect(await bench.agent.startClaim(alice)).toMatchObject({ status: 'open', warnings });
    expect(await bench.agent.resumeClaim()).toMatchObject({ status: 'open', warnings });
    expect(await failure(bench.agent.waitForClaim())).toMatchObject({
      code: 'not_offered',
      next: { command: 'token', args: ['--renew'] },
    });
    bench.web.on(ENDPOINT.identity, json(ANSWER.serviceAuth()));
    const loginHint = alice.email;
    expect(
      await bench.agent.register({ service: SERVICE, type: 'service_auth', loginHint }),
    ).toMatchObject({ status: 'claim_pending', warnings });
  });

  it('keeps the claim token when the tokens cannot be stored', async () => {
    const bench = await opened(json(ANSWER.claimed()));
    const { update } = bench.store;
    Object.assign(bench.store, {
      update: async () => {
        throw new Error('the disk is full');
      },
    });
    await expect(bench.agent.waitForClaim()).rejects.toThrow('the disk is full');
    Object.assign(bench.store, { update });
    expect((await bench.stored()).claim?.token.reveal()).toBe('clm_1');
    expect((await bench.agent.waitForClaim()).status).toBe('claimed');
  });

  it('polls slower for good after slow_down, in the next process too', async () => {
    const bench = await opened(refusal('slow_down'), pending());
    const started = bench.clock.now();
    await bench.agent.waitForClaim({ timeout: 30_000 });
    expect(polls(bench).map(({ at }) => at - started)).toEqual([5000, 15_000, 25_000]);
    expect(typeThere((await bench.stored()).claim?.attempt).interval).toBe(10_000);
    const resumed = bench.clock.now();
    await bench.another().waitForClaim({ timeout: 10_000 });
    // Five of the ten seconds were waited before.
    expect(polls(bench).at(-1)?.at).toBe(resumed + 5_000);
  });

  it('comes to a poll by short waits in a row, each in a process of its own', async () => {
    const bench = await opened(pending());
    const started = bench.clock.now();
    for (let waits = 0; waits < 4; waits += 1) {
      const outcome = await bench.another().waitForClaim({ timeout: 3_000 });
      expect(outcome.status).toBe('pending');
    }
    expect(polls(bench).map(({ at }) => at - started)).toEqual([5_000, 10_000]);
  });

  it('waits lost connections out longer and longer, and recovers', async () => {
    const bench = await opened(lost(), lost(), pending(), json(ANSWER.claimed()));
    const started = bench.clock.now();
    const events: WaitEvent[] = [];
    const outcome = await bench.agent.waitForClaim({ onEvent: (event) => events.push(event) });
    expect(outcome.status).toBe('claimed');
    expect(polls(bench).map(({ at }) => at - started)).toEqual([5000, 15_000, 35_000, 40_000]);
    expect(events.filter(({ type }) => type === 'trouble')).toEqual([
      { type: 'trouble', status: null, nextPollIn: 10_000 },
      { type: 'trouble', status: null, nextPollIn: 20_000 },
    ]);
  });

  it.each([
    ['503 with seconds', 503, '30', 30_000],
    ['429 with seconds', 429, '20', 20_000],
    ['503 with a date', 503, 'Thu, 01 Jan 2026 00:00:45 GMT', 40_000],
    ['502 without advice', 502, undefined, 10_000],
  ])('comes back after %s when it was asked to', async (_what, status, value, wait) => {
    const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value };
    const bench = await opened(new Response('busy', { status, headers }), json(ANSWER.claimed()));
    await bench.agent.waitForClaim();
    const [first, second] = polls(bench);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(wait);
  });

  it('stops at the end of the code, even if the service says pending forever', async () => {
    const bench = await opened(pending());
    const started = bench.clock.now();
    const outcome = await bench.agent.waitForClaim();
    expect(outcome.status).toBe('attempt_expired');
    expect(bench.clock.now() - started).toBe(600_000);
    expect(polls(bench)).toHaveLength(119);
    expect((await bench.stored()).claim?.token.reveal()).toBe('clm_1');
  });

  it('sees by the Date of an answer that the clock of the service was moved', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const moved = new Date(bench.clock.now() + 700_000).toUTCString();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    bench.web.on(ENDPOINT.token, () =>
      json({ error: 'authorization_pending' }, 400, { date: moved }),
    );
    await bench.agent.startClaim(alice);
    expect((await bench.agent.waitForClaim()).status).toBe('attempt_expired');
    expect(polls(bench)).toHaveLength(1);
  });

  it('is not held up by a service whose clock runs back', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const stopped = new Date(bench.clock.now()).toUTCString();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    bench.web.on(ENDPOINT.token, () =>
      json({ error: 'authorization_pending' }, 400, { date: stopped }),
    );
    await bench.agent.startClaim(alice);
    const started = bench.clock.now();
    expect((await bench.agent.waitForClaim()).status).toBe('attempt_expired');
    expect(bench.clock.now() - started).toBeLessThanOrEqual(600_000);
  });

  it.each([
    ['expired_token', 400, 'attempt_expired', { claim: { attempt: { ended: 'expired' } } }],
    ['expired_token', 200, 'attempt_expired', { claim: { attempt: { ended: 'expired' } } }],
    ['access_denied', 403, 'denied', { claim: { attempt: { ended: 'denied' } } }],
    ['invalid_grant', 400, 'revoked', { claim: null, ended: 'revoked' }],
  ])('ends at %s with status %i as %s', async (code, status, outcome, stored) => {
    const bench = await opened(refusal(code, status));
    expect((await bench.agent.waitForClaim()).status).toBe(outcome);
    expect(await bench.stored()).toMatchObject(stored);
    expect(polls(bench)).toHaveLength(1);
  });

  it('tells the end of the outer window from the end of the code', async () => {
    const bench = new Bench();
    await bench.anonymous({ claim_token_expires: later(5) });
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt({ expires_in: 300 })));
    bench.web.on(ENDPOINT.token, pending());
    await bench.agent.startClaim(alice);
    expect((await bench.agent.waitForClaim()).status).toBe('window_over');
    bench.web.on(ENDPOINT.token, refusal('expired_token'));
    expect((await bench.agent.waitForClaim()).status).toBe('window_over');
    expect(await bench.stored()).toMatchObject({ ended: 'expired', claim: null });
  });

  it.each(['invalid_client', 'something_new'])('stops at %s and says it', async (code) => {
    const bench = await opened(refusal(code, 400));
    expect((await failure(bench.agent.waitForClaim())).problem?.code).toBe(code);
    expect(polls(bench)).toHaveLength(1);
  });

  it.each([
    ['a page', html()],
    ['an assertion without its token', json(ANSWER.claimed({ access_token: undefined }))],
    ['a token that is none', json(ANSWER.claimed({ token_type: 'N_A' }))],
  ])('stops at %s and keeps the claim', async (_what, reply) => {
    const bench = await opened(reply);
    expect((await failure(bench.agent.waitForClaim())).kind).toBe('failed');
    expect(await bench.stored()).toMatchObject({ claimed: false, claim: { attempt: {} } });
  });

  it('gives up waiting after the time that the caller has', async () => {
    const bench = await opened(pending());
    const started = bench.clock.now();
    const outcome = await bench.agent.waitForClaim({ timeout: 12_000 });
    expect(outcome).toMatchObject({ status: 'pending', ceremony: { remaining: 588_000 } });
    expect(bench.clock.now() - started).toBe(12_000);
    expect(polls(bench)).toHaveLength(2);
  });

  it('keeps the pending claim when it is interrupted, in a wait or in a request', async () => {
    const inWait = await opened(pending());
    const controller = new AbortController();
    inWait.meanwhile = () => controller.abort();
    expect((await inWait.agent.waitForClaim({ signal: controller.signal })).status).toBe('aborted');
    expect((await inWait.stored()).claim?.attempt).toMatchObject({ ended: null });

    const second = new AbortController();
    const inRequest = await opened(() => {
      second.abort();
      return lost();
    });
    expect((await inRequest.agent.waitForClaim({ signal: second.signal })).status).toBe('aborted');
    inRequest.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    expect((await inRequest.another().waitForClaim()).status).toBe('claimed');
  });

  it('ends without a poll when another process has collected the claim', async () => {
    const bench = await opened(json(ANSWER.claimed()));
    bench.meanwhile = async () => {
      await bench.another().waitForClaim();
    };
    expect((await bench.agent.waitForClaim()).status).toBe('claimed');
    expect(polls(bench)).toHaveLength(1);
  });

  it('waits for an attempt that another process opens, after the end of the first', async () => {
    const bench = await opened(pending());
    bench.meanwhile = async () => {
      bench.clock.advance(9 * 60_000);
      await bench.another().startClaim({ ...alice, renew: true });
    };
    const started = bench.clock.now();
    expect(await bench.agent.waitForClaim({ timeout: 15 * 60_000 })).toMatchObject({
      status: 'pending',
    });
    expect(bench.clock.now() - started).toBe(15 * 60_000);
    expect((await bench.agent.waitForClaim()).status).toBe('attempt_expired');
  });

  it('ends when another process has forgotten the registration', async () => {
    const bench = await opened(pending());
    bench.meanwhile = async () => {
      await bench.another().forget();
    };
    expect((await failure(bench.agent.waitForClaim())).code).toBe('not_registered');
    expect((await bench.store.read()).services).toEqual([]);
  });

  it.each([
    ['the code', 11 * 60_000],
    ['the outer window', 25 * 60 * 60_000],
  ])(
    'collects a claim that was completed while nobody waited, after the end of %s',
    async (_what, passed) => {
      const waiting = await opened(json(ANSWER.claimed()));
      waiting.clock.advance(passed);
      const later = waiting.clock.now();
      expect((await waiting.another().waitForClaim()).status).toBe('claimed');
      expect(polls(waiting).map(({ at }) => at)).toEqual([later]);

      const starting = await opened(json(ANSWER.claimed()));
      starting.web.on(ENDPOINT.claim, refusal('claimed_or_in_flight', 409));
      starting.clock.advance(passed);
      expect((await starting.another().startClaim()).status).toBe('claimed');
    },
  );

  it('drops the claim token on the word of the service, not of the clock', async () => {
    const bench = await opened(refusal('expired_token'));
    bench.clock.advance(25 * 60 * 60_000);
    expect((await bench.agent.resumeClaim()).status).toBe('window_over');
    expect((await bench.stored()).claim).not.toBeNull();
    expect((await bench.agent.startClaim()).status).toBe('window_over');
    expect((await bench.stored()).claim).toBeNull();
  });

  it('says what became of an attempt that ended before', async () => {
    const bench = await opened(refusal('access_denied'));
    await bench.agent.waitForClaim();
    expect((await bench.another().waitForClaim()).status).toBe('denied');
  });

  it('asks a user who refused no second time, unless told to', async () => {
    const bench = await opened(refusal('access_denied'));
    await bench.agent.waitForClaim();
    // Some services say of a refused attempt later that it is over.
    bench.web.on(ENDPOINT.token, refusal('expired_token'));
    expect((await bench.agent.waitForClaim()).status).toBe('denied');
    expect((await bench.another().resumeClaim()).status).toBe('denied');
    expect((await bench.another().startClaim()).status).toBe('denied');
    expect((await bench.another().startClaim(alice)).status).toBe('denied');
    expect(bench.web.sent(ENDPOINT.claim)).toHaveLength(1);
    expect((await bench.another().startClaim({ renew: true })).status).toBe('open');
    expect(bench.web.sent(ENDPOINT.claim)).toHaveLength(2);
  });

  it('never opens another attempt by itself', async () => {
    const bench = await opened(refusal('expired_token'));
    await bench.agent.waitForClaim();
    expect((await bench.agent.waitForClaim()).status).toBe('attempt_expired');
    expect(bench.web.sent(ENDPOINT.claim)).toHaveLength(1);
  });

  it('says that nothing was opened', async () => {
    const bench = new Bench();
    await bench.anonymous();
    expect(await failure(bench.agent.waitForClaim())).toMatchObject({ code: 'claim_not_started' });
  });

  it('resumes the attempt of a registration by email', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, pending(), json(ANSWER.claimed()));
    const outcome = await bench.another().waitForClaim({ service: `${SERVICE}/` });
    expect(outcome).toMatchObject({ status: 'claimed', registration: { id: 'reg_2' } });
  });
});

describe('a code with an interval that cannot be', () => {
  it.each([
    [0, 5000],
    [1.2, 2000],
    [0.001, 1000],
  ])('of %d seconds was lost with it: it is polled every %d ms', async (interval, expected) => {
    const bench = new Bench();
    await bench.anonymous();
    const attempt: { claim_attempt: object } = ANSWER.attempt();
    bench.web.on(
      ENDPOINT.claim,
      json({ ...attempt, claim_attempt: { ...attempt.claim_attempt, interval } }),
    );
    const started = await bench.agent.startClaim({ email: 'alice@example.com' });
    expect(started.status).toBe('open');
    expect(typeThere((await bench.stored()).claim?.attempt).interval).toBe(expected);
  });
});

describe('the start of a claim', () => {
  it('may give a claim token in place of the first one', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const start = { ...ANSWER.attempt(), claim_token: 'clm_renewed' };
    bench.web.on(ENDPOINT.claim, json(start)).on(ENDPOINT.token, json(ANSWER.claimed()));
    await bench.agent.startClaim(alice);
    await bench.agent.waitForClaim();
    expect(polls(bench).map((request) => members(request)['claim_token'])).toEqual(['clm_renewed']);
  });
});
