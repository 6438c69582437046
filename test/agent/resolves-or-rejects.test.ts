import { describe, expect, it } from 'vitest';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  lost,
  pending,
  refusal,
  SERVICE,
} from './support/bench.ts';
import { json, type Reply } from './support/fake-web.ts';

/** A registration by email, whose claim is polled with these answers; it has no token before. */
async function waiting(...polls: [Reply, ...Reply[]]): Promise<Bench> {
  const bench = new Bench();
  await bench.serviceAuth();
  bench.web.on(ENDPOINT.token, ...polls);
  return bench;
}

const HOUR = 60 * 60_000;

describe('waitForClaim resolved attempt_expired where call rejected attempt_over', () => {
  it('an end of the claim is an outcome of the wait, and the code of what lacks the token', async () => {
    const bench = await waiting(refusal('expired_token'));
    expect((await bench.agent.waitForClaim()).status).toBe('attempt_expired');
    const code = 'attempt_expired';
    expect(await failure(bench.agent.call('/api/resource'))).toMatchObject({
      code,
      kind: 'expired',
    });
    expect(await failure(bench.agent.token())).toMatchObject({ code, kind: 'expired' });
  });

  it('a window that is over is an outcome of each act on the claim, and a code of each other', async () => {
    const bench = await waiting(refusal('expired_token'));
    bench.clock.advance(25 * HOUR);
    expect((await bench.agent.waitForClaim()).status).toBe('window_over');
    expect((await bench.agent.startClaim()).status).toBe('window_over');
    expect((await bench.agent.resumeClaim()).status).toBe('window_over');
    expect((await failure(bench.agent.call('/api/resource'))).code).toBe('window_over');
    expect((await failure(bench.agent.token())).code).toBe('window_over');
  });

  it.each([
    ['revoked', refusal('invalid_grant')],
    ['denied', refusal('access_denied')],
    ['claimed', json(ANSWER.claimed())],
    ['attempt_expired', refusal('expired_token')],
  ])('a wait that resolved %s does so again when it is asked again', async (status, reply) => {
    const bench = await waiting(reply);
    expect((await bench.agent.waitForClaim()).status).toBe(status);
    expect((await bench.another().waitForClaim()).status).toBe(status);
  });

  it.each([
    ['revoked', refusal('invalid_grant'), 'revoked'],
    ['denied', refusal('access_denied'), 'denied'],
    ['claimed', json(ANSWER.claimed()), 'already_claimed'],
  ])('what a wait resolved, %s, is what is told of it afterwards', async (_status, reply, told) => {
    const bench = await waiting(reply);
    await bench.agent.waitForClaim();
    expect((await bench.another().resumeClaim()).status).toBe(told);
  });

  it('a revoked registration opens no claim, and says so as the wait does', async () => {
    const bench = await waiting(refusal('invalid_grant'));
    await bench.agent.waitForClaim();
    expect((await bench.agent.startClaim({ renew: true })).status).toBe('revoked');
    expect(bench.web.sent(ENDPOINT.claim)).toEqual([]);
  });

  it('a method that is called without its argument rejects, and throws nothing', async () => {
    const bench = new Bench();
    // @ts-expect-error As a caller without types may do.
    await expect(bench.agent.use()).rejects.toBeInstanceOf(TypeError);
  });

  it('what has no claim rejects: nothing of it can end', async () => {
    const bench = new Bench();
    await bench.anonymous();
    await bench.store.update((current) => [
      {
        ...current,
        services: current.services.map((record) => ({
          ...record,
          registrations: record.registrations.map((one) => ({ ...one, claim: null })),
        })),
      },
      undefined,
    ]);
    const { agent } = bench;
    const nothing = { code: 'no_claim', kind: 'refused' };
    expect(await failure(agent.waitForClaim())).toMatchObject(nothing);
    expect(await failure(agent.startClaim())).toMatchObject(nothing);
    expect(await failure(agent.resumeClaim())).toMatchObject(nothing);
  });

  it('a signal ends the wait and not the claim, also before its first poll', async () => {
    const bench = await waiting(pending());
    const controller = new AbortController();
    bench.web.on(ENDPOINT.serverMetadata, () => {
      controller.abort();
      return lost();
    });
    const { signal } = controller;
    const outcome = await bench.another().waitForClaim({ service: SERVICE, signal });
    expect(outcome).toMatchObject({ status: 'aborted', registration: { claim: { attempt: {} } } });
  });
});
