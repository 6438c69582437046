import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/runtime/index.ts';
import { typeThere } from '../support/type-there.ts';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  later,
  lost,
  pending,
  refusal,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { html, json, members } from './support/fake-web.ts';

const exchanges = ({ web }: Bench) =>
  web.sent(ENDPOINT.token).filter((request) => members(request)['assertion']);

describe('a token', () => {
  it('is the stored one while it is good', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const token = await bench.another().token();
    expect(token).toMatchObject({ source: 'store', fresh: false, remaining: 3_600_000 });
    expect(token.value.reveal()).toBe('at_1');
    expect(exchanges(bench)).toHaveLength(1);
  });

  it.each([
    ['nothing while more than five minutes are left', 3299, 0],
    ['for the time of the server when five are left', 3300, 1],
  ])('asks %s', async (_what, seconds, asked) => {
    const bench = new Bench();
    await bench.anonymous();
    bench.clock.advance(seconds * 1000);
    bench.web.requests.length = 0;
    expect((await bench.another().token()).value.reveal()).toBe('at_1');
    expect(bench.web.sent(ENDPOINT.serverMetadata)).toHaveLength(asked);
    expect(bench.web.requests).toHaveLength(asked);
  });

  it('is judged by the stored time of the server, whatever this clock shows', async () => {
    const bench = new Bench();
    const ahead = new Date(bench.clock.now() + 7_200_000).toUTCString();
    bench.web.on(ENDPOINT.token, json(ANSWER.token(), 200, { date: ahead }));
    await bench.anonymous();
    expect((await bench.stored()).token?.expiresAt).toBe(bench.clock.now() + 10_800_000);
    bench.web.requests.length = 0;
    expect(await bench.another().token()).toMatchObject({ fresh: false, remaining: 3_600_000 });
    expect(bench.web.requests).toEqual([]);
    bench.clock.advance(3_300_000);
    await bench.another().token();
    expect(bench.web.sent(ENDPOINT.serverMetadata)).toHaveLength(1);
  });

  it.each([
    ['shortly before its end', 3600 - 10],
    ['after its end', 3601],
  ])('is exchanged again %s', async (_what, seconds) => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' })));
    bench.clock.advance(seconds * 1000);
    expect(await bench.agent.token()).toMatchObject({ fresh: true });
    expect((await bench.stored()).token?.value.reveal()).toBe('at_2');
  });

  it('is exchanged again when the clock of the service has moved past its end', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const date = new Date(bench.clock.now() + 7_200_000).toUTCString();
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata(), 200, { date }));
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' }), 200, { date }));
    expect((await bench.another().token()).value.reveal()).toBe('at_1');
    const token = await bench.another().token({ check: true });
    expect(token.value.reveal()).toBe('at_2');
    expect(token.remaining).toBe(3_600_000);
    // What is stored is judged by that clock from now on, without a request.
    const [service] = (await bench.another().status()).services;
    expect(service).toMatchObject({ clockOffset: 7_200_000, clockSeen: false });
    expect(service?.registrations[0]?.tokenRemaining).toBe(3_600_000);
  });

  it('is exchanged again when asked to', async () => {
    const bench = new Bench();
    await bench.anonymous();
    await bench.agent.token({ renew: true });
    expect(exchanges(bench)).toHaveLength(2);
  });

  it('is the stored one when the service cannot be reached', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.serverMetadata, lost());
    expect((await bench.another().token()).value.reveal()).toBe('at_1');
    bench.clock.advance(3_600_000);
    expect(await failure(bench.another().token())).toMatchObject({ kind: 'network' });
  });

  it('of the environment beats the store, and needs nothing', async () => {
    const bench = new Bench({ environmentToken: new Secret('at_env') });
    const token = await bench.agent.token();
    expect(token).toMatchObject({ source: 'environment', registration: undefined });
    expect(token.value.reveal()).toBe('at_env');
    expect(bench.web.requests).toEqual([]);
  });

  it('cannot be had without a registration', async () => {
    expect(await failure(new Bench().agent.token())).toMatchObject({
      code: 'not_registered',
      kind: 'not_registered',
      next: { command: 'connect', args: ['URL'] },
    });
    const elsewhere = { service: 'https://other.example' };
    const bench = new Bench();
    await bench.anonymous();
    expect(await failure(bench.agent.token(elsewhere))).toMatchObject({
      code: 'not_registered',
      next: { command: 'register', args: ['https://other.example'] },
    });
  });

  it('cannot be had before the claim of a registration by email', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, pending());
    expect(await failure(bench.agent.token())).toMatchObject({
      code: 'claim_pending',
      kind: 'pending',
      next: { command: 'claim wait' },
    });
    expect(bench.web.sent(ENDPOINT.token)).toHaveLength(1);
  });

  it('comes of one claim poll once the user is done', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    expect((await bench.agent.token()).value.reveal()).toBe('at_claimed');
    expect(await bench.stored()).toMatchObject({ claimed: true, claim: null });
  });

  it.each([
    ['expired_token', 'attempt_expired', 'expired', 'claim'],
    ['access_denied', 'access_denied', 'refused', 'status'],
    ['invalid_grant', 'registration_over', 'not_registered', 'register'],
  ])(
    'of a claim that ended in %s is an error with the next command',
    async (wire, code, kind, command) => {
      const bench = new Bench();
      await bench.serviceAuth();
      bench.web.on(ENDPOINT.token, refusal(wire));
      expect(await failure(bench.agent.token())).toMatchObject({ code, kind, next: { command } });
    },
  );

  it('keeps a slow_down of that poll', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, refusal('slow_down'));
    expect((await failure(bench.agent.token())).code).toBe('claim_pending');
    expect(typeThere((await bench.stored()).claim?.attempt).interval).toBe(10_000);
  });

  it('is not taken for pending when the service is in trouble', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, html(503));
    expect(await failure(bench.agent.token())).toMatchObject({ kind: 'network' });
  });

  it('is asked for again after a 5xx', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.token, html(502), json(ANSWER.token()));
    await bench.anonymous();
    expect(exchanges(bench)).toHaveLength(2);
  });

  it('does not come of an assertion that has ended', async () => {
    const bench = new Bench();
    await bench.anonymous({ assertion_expires: later(60), claim_token_expires: later(60) });
    bench.web.on(ENDPOINT.token, refusal('expired_token'));
    bench.clock.advance(60 * 60_000);
    expect(await failure(bench.agent.token())).toMatchObject({
      code: 'window_over',
      kind: 'expired',
      next: { command: 'register', args: [SERVICE] },
    });
    expect(exchanges(bench)).toHaveLength(1);
  });

  it('that is refused once the window is over is not told as a revocation', async () => {
    const bench = new Bench();
    await bench.anonymous({ claim_token_expires: later(60) });
    bench.clock.advance(60 * 60_000);
    // The assertion ends with the registration, and the claim poll says which end it was.
    bench.web.on(ENDPOINT.token, refusal('invalid_grant'), refusal('expired_token'));
    expect(await failure(bench.agent.token({ renew: true }))).toMatchObject({
      code: 'window_over',
      kind: 'expired',
    });
    expect(await bench.stored()).toMatchObject({ claim: null, ended: 'expired' });
  });

  it('that is gone for good is remembered so, and a later success forgets that', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.token, refusal('invalid_grant'));
    expect((await failure(bench.agent.token({ renew: true }))).code).toBe('registration_over');
    const state = async () => (await bench.agent.status()).services[0]?.registrations[0]?.state;
    expect(await state()).toBe('revoked');
    bench.web.on(ENDPOINT.token, json(ANSWER.token()));
    await bench.agent.token({ renew: true });
    expect(await state()).toBe('unclaimed');
  });
});
