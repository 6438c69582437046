import { describe, expect, it } from 'vitest';
import { writtenIn } from '../../src/agent/dialects/written-in.ts';
import { Secret } from '../../src/runtime/index.ts';
import { answerOf } from './dialects/answer-of.ts';
import { ANSWER, Bench, ENDPOINT, failure, refusal, SERVICE } from './support/bench.ts';
import { json, members } from './support/fake-web.ts';
import {
  ALICE,
  anonymously,
  byEmail,
  CODE_ENDPOINT,
  NESTED,
  nestedBench,
} from './support/nested.ts';

const code = new Secret('123456');

describe('a dialect that turns out to be another', () => {
  it('registered as flat, claimed as nested: the registration stays, and is refreshed', async () => {
    const bench = new Bench();
    await bench.anonymous();
    expect((await bench.stored()).dialect).toBe('flat');
    bench.web.on(ENDPOINT.claim, json(NESTED.started()));
    expect(await bench.agent.startClaim({ email: ALICE })).toMatchObject({
      status: 'open',
      ceremony: { kind: 'read_back' },
    });
    expect((await bench.stored()).dialect).toBe('nested');
    bench.web.on(CODE_ENDPOINT, json(NESTED.claimed()));
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
    const { id, dialect, refresh } = await bench.stored();
    expect({ id, dialect }).toEqual({ id: 'reg_1', dialect: 'nested' });
    expect(refresh?.value.reveal()).toBe('art_1');
  });

  it('registered as nested, claimed as flat: its user types the code', async () => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    expect(await bench.agent.startClaim({ email: ALICE })).toMatchObject({
      status: 'open',
      ceremony: { kind: 'type_there' },
    });
    expect(await bench.stored()).toMatchObject({ id: 'reg_1', dialect: 'flat' });
    // It lists no claim grant, so that the claim cannot be collected; the registration is not lost.
    expect((await failure(bench.agent.waitForClaim())).code).toBe('not_offered');
    expect((await bench.stored()).claim?.token.reveal()).toBe('clm_1');
  });

  it('a nested claim whose code is answered as flat', async () => {
    const bench = await byEmail();
    const answer = { status: 'claimed', identity_assertion: 'assertion-flat' };
    bench.web.on(CODE_ENDPOINT, json(answer));
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
    expect((await bench.stored()).assertion?.value.reveal()).toBe('assertion-flat');
  });

  it('goes on with the body that was taken, also in another process', async () => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.claim, refusal('invalid_request'), json(NESTED.started()));
    await bench.agent.startClaim({ email: ALICE });
    await bench.another().startClaim({ renew: true });
    expect(bench.web.sent(ENDPOINT.claim).map(members)).toEqual([
      { type: 'service_auth', claim_token: 'clm_1', login_hint: ALICE },
      { claim_token: 'clm_1', email: ALICE },
      { claim_token: 'clm_1', email: ALICE },
    ]);
  });
});

describe('an answer in two families at once', () => {
  const both = (flat: object, nested: object) => answerOf({ ...flat, ...nested });
  const { claim: _block, ...waiting } = ANSWER.serviceAuth();

  it.each([
    ['with a page that shows the code', both(waiting, NESTED.serviceAuth()), 'nested'],
    [
      'with a code for its user to type',
      both(waiting, { ...NESTED.serviceAuth(), claim: NESTED.claim(ANSWER.block()) }),
      'flat',
    ],
  ])('%s is read as its user can act on it', (_what, answer, id) => {
    expect(writtenIn(answer, ['flat', 'nested'])).toBe(id);
    expect(writtenIn(answer, ['nested', 'flat'])).toBe(id);
  });

  it.each([
    [['flat', 'nested'] as const, 'flat'],
    [['nested', 'flat'] as const, 'nested'],
    [['first'] as const, 'flat'],
  ])('without an attempt is read as expected: %j', (expected, id) => {
    const { claim_token: _token, ...flat } = ANSWER.anonymous();
    expect(writtenIn(both(flat, NESTED.anonymous()), expected)).toBe(id);
  });

  it('is registered with, claimed and used', async () => {
    const bench = nestedBench();
    const body = { ...ANSWER.anonymous(), ...NESTED.anonymous() };
    bench.web.on(ENDPOINT.identity, json(body));
    await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    bench.web.on(ENDPOINT.claim, json({ ...NESTED.started(), registration_id: 'reg_1' }));
    await bench.agent.startClaim({ email: ALICE });
    bench.web.on(
      CODE_ENDPOINT,
      json({ ...NESTED.claimed(), identity_assertion: 'assertion-v2', status: 'claimed' }),
    );
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
    expect((await bench.stored()).assertion?.value.reveal()).toBe('assertion-v2');
    expect((await bench.stored()).refresh?.value.reveal()).toBe('art_1');
  });
});

describe('a claim grant that is listed and not honoured', () => {
  it('does not keep a claim from being completed by its code', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json(NESTED.anonymous()));
    await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    bench.web.on(ENDPOINT.claim, json(NESTED.started()));
    await bench.agent.startClaim({ email: ALICE });
    bench.web
      .on(CODE_ENDPOINT, json({ id: 'reg_1', status: 'claimed' }))
      .on(ENDPOINT.token, refusal('unsupported_grant_type'), json(ANSWER.token()));
    expect((await bench.agent.submitCode({ code })).status).toBe('claimed');
  });

  it('is passed over where a token is asked for', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json(NESTED.anonymous()));
    await bench.agent.register({ service: SERVICE, type: 'anonymous' });
    bench.web.on(ENDPOINT.token, refusal('invalid_grant'), refusal('unsupported_grant_type'));
    expect(await failure(bench.agent.token({ renew: true }))).toMatchObject({
      code: 'registration_over',
    });
  });
});

describe('a claim that another agent has completed, at a service without a claim grant', () => {
  it('is told when it is started again', async () => {
    const bench = await anonymously();
    bench.web
      .on(ENDPOINT.claim, refusal('already_claimed', 409))
      .on(ENDPOINT.token, refusal('invalid_grant'));
    expect((await bench.agent.startClaim({ email: ALICE })).status).toBe('revoked');
  });

  it('is not told apart from one in flight where the service has one word for both', async () => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.claim, refusal('claimed_or_in_flight', 409));
    expect((await failure(bench.agent.startClaim({ email: ALICE }))).code).toBe(
      'claimed_or_in_flight',
    );
    expect((await bench.stored()).ended).toBeNull();
  });

  it('after its denial, is not asked for again by `register` with `reuse`', async () => {
    const bench = await byEmail();
    bench.web.on(CODE_ENDPOINT, refusal('claim_denied', 403));
    await bench.agent.submitCode({ code });
    const outcome = await bench.agent.register({
      ...{ service: SERVICE, type: 'service_auth', loginHint: ALICE, reuse: true },
    });
    expect(outcome).toMatchObject({ status: 'claim_needed', reason: 'denied' });
    expect(bench.web.sent(ENDPOINT.claim)).toEqual([]);
  });

  it('that nobody has started is kept while it may be', async () => {
    const bench = await anonymously();
    bench.web.on(ENDPOINT.token, refusal('invalid_grant'));
    const again = () => bench.agent.register({ service: SERVICE, type: 'anonymous', reuse: true });
    expect(await again()).toMatchObject({ status: 'claim_needed', reason: 'not_started' });
    expect((await bench.stored()).claim?.token.reveal()).toBe('clm_1');

    bench.clock.advance(25 * 60 * 60_000);
    bench.web
      .on(ENDPOINT.token, refusal('invalid_grant'), json(ANSWER.token()))
      .on(ENDPOINT.identity, json(NESTED.anonymous({ id: 'reg_new' })));
    expect(await again()).toMatchObject({ already: false, ended: [{ id: 'reg_1', claim: null }] });
  });

  it('ends with its window by the answer of the service', async () => {
    const bench = await byEmail();
    bench.clock.advance(25 * 60 * 60_000);
    bench.web.on(ENDPOINT.claim, refusal('claim_expired', 410));
    expect((await bench.agent.startClaim()).status).toBe('window_over');
  });
});
