import { describe, expect, it } from 'vitest';
import { Bench, ENDPOINT, lost, pending, refusal } from './support/bench.ts';
import { html, type Reply } from './support/fake-web.ts';

/** A registration by email, whose claim is polled with these answers: after 5 seconds, and as the agent then waits. */
async function waitFor(
  timeout: number,
  ...polls: [Reply, ...Reply[]]
): Promise<Awaited<ReturnType<Bench['agent']['waitForClaim']>>> {
  const bench = new Bench();
  await bench.serviceAuth();
  bench.web.on(ENDPOINT.token, ...polls);
  return bench.agent.waitForClaim({ timeout });
}

describe('a wait whose polls nobody answered was told as one for a user who had not acted', () => {
  it.each<[string, number, [Reply, ...Reply[]], object | undefined]>([
    ['without an answer', 45_000, [lost()], { polls: 3, status: null }],
    ['answered with 503', 20_000, [html(503)], { polls: 2, status: 503 }],
    ['refused by a rate limiter', 6_000, [refusal('no', 429)], { polls: 1, status: 429 }],
    ['after one that was', 19_000, [pending(), lost()], { polls: 1, status: null }],
    ['before one that was', 20_000, [lost(), pending()], undefined],
    ['answered', 20_000, [pending()], undefined],
    ['none was due', 2_000, [lost()], undefined],
  ])('%s: says how many were not answered', async (_how, timeout, polls, unanswered) => {
    const outcome = await waitFor(timeout, ...polls);
    if (outcome.status !== 'pending') throw new Error(outcome.status);
    expect(outcome.unanswered).toEqual(unanswered);
    expect('unanswered' in outcome).toBe(unanswered !== undefined);
  });
});
