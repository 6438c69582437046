import { describe, expect, it } from 'vitest';
import type { TypeThereAttempt } from '../../src/agent/index.ts';
import { typeThere } from '../support/type-there.ts';
import { ANSWER, Bench, ENDPOINT, failure, later, pending, refusal } from './support/bench.ts';
import { json, type Reply } from './support/fake-web.ts';

const alice = { email: 'alice@example.com' };

/** An anonymous registration with an open attempt, and these answers to its polls. */
async function opened(over: object, ...polls: [Reply, ...Reply[]]): Promise<Bench> {
  const bench = new Bench();
  await bench.anonymous(over);
  bench.web.on(ENDPOINT.claim, json(ANSWER.attempt())).on(ENDPOINT.token, ...polls);
  await bench.agent.startClaim(alice);
  return bench;
}

/** Writes into the open attempt as another process does. */
async function change({ store }: Bench, over: Partial<TypeThereAttempt>): Promise<void> {
  await store.update((current) => {
    const services = current.services.map((record) => ({
      ...record,
      registrations: record.registrations.map((one) => {
        const attempt = one.claim?.attempt;
        if (!one.claim || !attempt) return one;
        return { ...one, claim: { ...one.claim, attempt: { ...typeThere(attempt), ...over } } };
      }),
    }));
    return [{ ...current, services }, undefined];
  });
}

describe('a wait for a claim', () => {
  it('keeps the end that another process was told first', async () => {
    const bench = await opened({ claim_token_expires: later(10) }, refusal('expired_token'));
    bench.meanwhile = async () => {
      bench.clock.advance(600_000);
      await bench.another().startClaim();
    };
    await bench.agent.waitForClaim();
    expect(await bench.stored()).toMatchObject({ claim: null, ended: 'expired' });
  });

  it('polls after one interval at the latest, whatever was left of an earlier wait', async () => {
    const bench = await opened({}, json(ANSWER.claimed()));
    await change(bench, { nextPollAt: bench.clock.now() + 3_600_000 });
    const started = bench.clock.now();
    expect((await bench.another().waitForClaim()).status).toBe('claimed');
    expect(bench.clock.now() - started).toBe(5000);
  });

  it('began its interval again in another process, whenever the last poll had been', async () => {
    const bench = await opened({}, json(ANSWER.claimed()));
    bench.clock.advance(3000);
    const started = bench.clock.now();
    expect((await bench.another().waitForClaim()).status).toBe('claimed');
    expect(bench.clock.now() - started).toBe(2000);
  });
});

describe('another attempt', () => {
  it('that comes too late has met the end of the window, where nobody said when that is', async () => {
    const bench = await opened({ claim_token_expires: undefined }, pending());
    bench.web.on(ENDPOINT.claim, refusal('claim_expired', 410));
    expect((await bench.agent.startClaim({ renew: true })).status).toBe('window_over');
    expect(await bench.stored()).toMatchObject({ claim: null, ended: 'expired' });
  });

  it('sends the claim token to no URL that is not allowed any more', async () => {
    const elsewhere = 'https://claims.example';
    const bench = new Bench({ allowOrigins: [elsewhere] });
    await bench.anonymous({ claim_url: `${elsewhere}/claim` });
    const error = await failure(bench.another().startClaim(alice));
    expect(error.code).toBe('foreign_origin');
    expect(bench.web.sent(`POST ${elsewhere}/claim`)).toEqual([]);
  });
});
