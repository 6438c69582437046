import { describe, expect, it } from 'vitest';
import { ANSWER, Bench, ENDPOINT, jwt, later, SERVICE } from '../support/bench.ts';
import { json } from '../support/fake-web.ts';

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);
const START = Date.UTC(2026, 0, 1);
const inMinutes = (minutes: number) => START + minutes * 60_000;
const until = (minutes: number) =>
  jwt({ exp: inMinutes(minutes) / 1000 }, { typ: 'agent-identity+jwt', alg: 'ES256' });

/** What the store holds after an anonymous registration whose answer says times in another way. */
async function registered(over: object) {
  const bench = new Bench();
  await bench.anonymous({ assertion_expires: undefined, claim_token_expires: undefined, ...over });
  const { assertion, claim } = await bench.stored();
  return { assertion: assertion?.expiresAt, claim: claim?.expiresAt };
}

describe('where a service does not say assertion_expires', () => {
  it.each([
    ['nothing stands in for it', {}, null],
    ['assertion_expires_in does', { assertion_expires_in: 600 }, inMinutes(10)],
    ['identity_assertion_expires_in does', { identity_assertion_expires_in: 60 }, inMinutes(1)],
    ['the exp of the JWT does', { identity_assertion: until(30) }, inMinutes(30)],
    [
      'what it says of its span beats the JWT',
      { identity_assertion: until(30), assertion_expires_in: 60 },
      inMinutes(1),
    ],
    ['a span that is none does not', { assertion_expires_in: 'soon' }, null],
    ['a span below zero does not', { assertion_expires_in: -5 }, null],
    ['an exp that is none does not', { identity_assertion: jwt({ exp: 'soon' }) }, null],
    ['an endless exp is the last day of all', { identity_assertion: jwt({ exp: 1e300 }) }, LAST],
  ])('%s', async (_what, over, end) => {
    expect((await registered(over)).assertion).toBe(end);
  });

  it('what it says by its own name beats everything', async () => {
    const { assertion } = await registered({
      assertion_expires: later(5),
      assertion_expires_in: 60,
      identity_assertion: until(30),
    });
    expect(assertion).toBe(inMinutes(5));
  });
});

describe('where a service does not say claim_token_expires', () => {
  it.each([
    ['nothing stands in for it', {}, null],
    ['claim_token_expires_in does', { claim_token_expires_in: 3600 }, inMinutes(60)],
    ['the exp of the JWT does', { claim_token: until(90) }, inMinutes(90)],
    ['expires_in, which may be that of another thing, does not', { expires_in: 60 }, null],
  ])('%s', async (_what, over, end) => {
    expect((await registered(over)).claim).toBe(end);
  });
});

describe('an access token', () => {
  it.each([
    ['of which nobody says when it ends', {}, null],
    ['that is a JWT ends with its exp', { access_token: until(20) }, inMinutes(20)],
    ['ends as expires_in says', { access_token: until(20), expires_in: 60 }, inMinutes(1)],
    ['never ends after the last day', { expires_in: Number.MAX_SAFE_INTEGER }, LAST],
  ])('%s', async (_what, over, end) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ expires_in: undefined, ...over })));
    await bench.anonymous();
    expect((await bench.stored()).token?.expiresAt).toBe(end);
  });
});

describe('the window of a code', () => {
  it.each([
    ['is ten minutes where nobody says', {}, {}, 10],
    ['is what the answer says beside the code', {}, { expires_at: later(20) }, 20],
    ['is what the code says', { expires_at: later(15) }, { expires_at: later(20) }, 15],
    ['is in seconds first of all', { expires_in: 60 }, { expires_at: later(20) }, 1],
    ['is an hour at most', {}, { expires_at: later(24 * 60) }, 60],
    ['is not over before it began', {}, { expires_at: later(-1) }, 10],
    ['may have an end that is no time', { expires_at: 'soon' }, {}, 10],
  ])('%s', async (_what, block, beside, minutes) => {
    const bench = new Bench();
    await bench.anonymous();
    const attempt = ANSWER.attempt({ expires_in: undefined, interval: undefined, ...block });
    bench.web.on(ENDPOINT.claim, json({ ...attempt, expires_at: undefined, ...beside }));
    const open = await bench.agent.startClaim({ service: SERVICE, email: 'a@b.example' });
    expect(open).toMatchObject({
      ceremony: { expiresAt: inMinutes(minutes), interval: 5000 },
    });
  });
});
