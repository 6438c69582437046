import { expect } from 'vitest';
import { decodeJwt } from '../../src/protocol/index.ts';
import { type Ceremony, ceremonyOf } from '../mock-service/harness.ts';
import type { Arena } from './arena.ts';
import type { Received } from './replicas.ts';
import { AT_ONCE, having, mixed, taken, tally, times } from './tally.ts';

const ALICE = 'alice@example.com';
const BOB = 'bob@example.com';

/** One round of a race: sends, and expects what only one order of the requests can answer. */
export type Race = (arena: Arena) => Promise<void>;

/** What races about a claim: its code, its polls, its attempts. */
export const CLAIM_RACES: Readonly<Record<string, Race>> = {
  'a user code is taken once, and wrong ones beside it are counted': async (arena) => {
    const { ceremony, id } = await byEmail(arena);
    const visitor = await arena.visitor(ALICE);
    const [wrong, right] = await mixed(
      times(4, (n) => () => arena.submit(visitor, ceremony, wrongCode(ceremony, n))),
      times(AT_ONCE - 4, () => () => arena.submit(visitor, ceremony, ceremony.user_code)),
    );
    expect(tally(right)).toEqual({ 200: AT_ONCE - 4 });
    // Whoever comes after the claim is told that it is claimed, whatever the code.
    expect(tally(wrong)).toEqual(tally([...having(200, wrong), ...having(400, wrong)]));
    expectTriesLeft(having(400, wrong));
    expect(await arena.audited('claim.completed', id)).toBe(1);
    expect(await arena.audited('claim.code_wrong', id)).toBe(having(400, wrong).length);
  },

  'of many wrong codes five are tries, and the right one is too late': async (arena) => {
    const { ceremony, id } = await byEmail(arena);
    const visitor = await arena.visitor(ALICE);
    const answers = await Promise.all(
      times(AT_ONCE, (n) => arena.submit(visitor, ceremony, wrongCode(ceremony, n))),
    );
    expect(tally(answers)).toEqual({
      '400 invalid_user_code': 5,
      '429 too_many_attempts': AT_ONCE - 5,
    });
    expectTriesLeft(having(400, answers));
    expect((await arena.submit(visitor, ceremony, ceremony.user_code)).status).toBe(429);
    expect(await arena.audited('claim.code_wrong', id)).toBe(5);
  },

  'a completed claim is one assertion, and one of its tokens lives': async (arena) => {
    const { claimToken, id } = await byEmail(arena);
    await arena.complete(id);
    const answers = await Promise.all(times(AT_ONCE, () => arena.poll(claimToken)));
    expect(tally(answers)).toEqual({ 200: AT_ONCE });
    const assertions = answers.map(({ body }) => {
      const { exp, iat, jti } = decodeJwt(String(body['identity_assertion']))?.payload ?? {};
      return `${jti} ${iat} ${exp}`;
    });
    expect(new Set(assertions).size).toBe(1);
    expect(tally(await callAll(arena, answers))).toEqual({
      200: 1,
      '401 invalid_token': AT_ONCE - 1,
    });
  },

  'of polls that come together one is in time': async (arena) => {
    const { claimToken, id } = await byEmail(arena);
    const answers = await Promise.all(times(AT_ONCE, () => arena.poll(claimToken)));
    expect(tally(answers)).toEqual({
      '400 authorization_pending': 1,
      '400 slow_down': AT_ONCE - 1,
    });
    expect((await arena.registration(id))['claim_attempt']).toMatchObject({ interval: 60 });
  },

  'an attempt is completed, or replaced by another one, and never both': async (arena) => {
    const { body } = await taken(arena.register({ type: 'anonymous' }));
    const ceremony = ceremonyOf(await taken(arena.startClaim(body['claim_token'], ALICE)));
    const visitor = await arena.visitor(ALICE);
    const half = AT_ONCE / 2;
    const [completed, opened] = await mixed(
      times(half, () => () => arena.submit(visitor, ceremony, ceremony.user_code)),
      times(half, () => () => arena.startClaim(body['claim_token'], BOB)),
    );
    const { email, state } = await arena.registration(body['registration_id']);
    const answers = [tally(completed), tally(opened), state, email];
    if (state === 'claimed') {
      expect(answers).toEqual([{ 200: half }, { '409 claimed_or_in_flight': half }, state, ALICE]);
    } else {
      const gone = { '404 invalid_claim_attempt': half };
      expect(answers).toEqual([gone, { 200: half }, 'pending', BOB]);
    }
  },

  'a claim ends every token from before it': async (arena) => {
    const { body } = await taken(arena.register({ type: 'anonymous' }));
    const ceremony = ceremonyOf(await taken(arena.startClaim(body['claim_token'], ALICE)));
    const visitor = await arena.visitor(ALICE);
    const [completed, exchanged] = await mixed(
      [() => arena.submit(visitor, ceremony, ceremony.user_code)],
      times(AT_ONCE - 1, () => () => arena.exchange(body['identity_assertion'])),
    );
    expect(tally(completed)).toEqual({ 200: 1 });
    await expectAllEnded(arena, exchanged);
    expect(tally([await arena.exchange(body['identity_assertion'])])).toEqual({
      '400 invalid_grant': 1,
    });
  },
};

/** Those that got a token got one that does not live any more; the others were refused. */
export async function expectAllEnded(arena: Arena, answers: readonly Received[]): Promise<void> {
  const issued = having(200, answers).length;
  const refused = answers.length - issued;
  expect(tally(answers)).toEqual({
    ...(issued > 0 && { 200: issued }),
    ...(refused > 0 && { '400 invalid_grant': refused }),
  });
  expect(tally(await callAll(arena, having(200, answers)))).toEqual(
    issued > 0 ? { '401 invalid_token': issued } : {},
  );
}

function callAll(arena: Arena, answers: readonly Received[]): Promise<readonly Received[]> {
  return Promise.all(answers.map(({ body }) => arena.call(body['access_token'])));
}

/** Each try leaves one less than the one before it, and none is counted twice. */
function expectTriesLeft(answers: readonly Received[]): void {
  const left = answers.map(({ body }) => Number(body['attempts_remaining']));
  expect(left.sort((a, b) => b - a)).toEqual([4, 3, 2, 1, 0].slice(0, left.length));
}

async function byEmail(arena: Arena) {
  const answer = await taken(arena.register({ type: 'service_auth', login_hint: ALICE }));
  const { claim_token: claimToken, registration_id: id } = answer.body;
  return { ceremony: ceremonyOf(answer), claimToken, id };
}

/** Another one each time. */
function wrongCode({ user_code: right }: Ceremony, n: number): string {
  return String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0');
}
