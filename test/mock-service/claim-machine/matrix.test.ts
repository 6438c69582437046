import { describe, expect, it } from 'vitest';
import {
  EVENTS,
  type EventInputs,
  type EventName,
  type Outcome,
} from '../../../src/mock-service/claim-machine/events.ts';
import type { RegistrationFacts } from '../../../src/mock-service/claim-machine/facts.ts';
import { stateOf } from '../../../src/mock-service/claim-machine/machine.ts';
import { decide } from '../../../src/mock-service/claim-machine/matrix.ts';
import { DEFAULT_LIFETIMES } from '../../../src/mock-service/config/lifetimes.ts';
import { STATES, type State } from '../../../src/protocol/states.ts';
import { ATTEMPT, DECISION_CONTEXT, EVERYTHING, IN_STATE, NOW, OWNER, STRANGER } from './facts.ts';

const INPUT: { readonly [E in EventName]: EventInputs[E] } = {
  start: {
    email: OWNER.email,
    attempt: { id: 'cla_2', tokenHash: 'token-2', userCodeHmac: 'hmac-2' },
  },
  submit: { account: OWNER, code: 'right' },
  deny: { account: OWNER },
  confirm: { account: OWNER },
  redeem: {
    code: 'right',
    mailedTo: undefined,
    assertionJti: 'ia_2',
    refreshHash: 'refresh-1',
    redelivers: false,
    active: true,
  },
  refresh: { hash: 'refresh-1', isSpent: false, nextHash: 'refresh-2', assertionJti: 'ia_3' },
  poll: { tokenHash: 'access-1', assertionJti: 'ia_2', active: true, target: EVERYTHING },
  exchange: {
    tokenHash: 'access-1',
    assertionJti: 'ia_1',
    version: 1,
    active: true,
    target: EVERYTHING,
  },
  revoke: {},
};

/** wire contract §8, written down a second time by hand: what each event comes to in each state. */
const EXPECTED: { readonly [E in EventName]: { readonly [S in State]: string } } = {
  start: {
    unclaimed: 'attempt_opened',
    pending: 'attempt_opened',
    lapsed: 'attempt_opened',
    claimed: 'claimed_or_in_flight',
    expired: 'claim_expired',
    revoked: 'claim_expired',
  },
  submit: {
    unclaimed: 'invalid_claim_attempt',
    pending: 'claimed',
    lapsed: 'claim_attempt_expired',
    claimed: 'claimed',
    expired: 'claim_expired',
    revoked: 'claim_expired',
  },
  deny: {
    unclaimed: 'invalid_claim_attempt',
    pending: 'denied',
    lapsed: 'claim_attempt_expired',
    claimed: 'already_claimed',
    expired: 'claim_expired',
    revoked: 'claim_expired',
  },
  confirm: {
    unclaimed: 'invalid_claim_attempt',
    pending: 'confirmed',
    lapsed: 'claim_attempt_expired',
    claimed: 'claimed',
    expired: 'claim_expired',
    revoked: 'claim_expired',
  },
  redeem: {
    unclaimed: 'claim_not_started',
    // Nobody has confirmed.
    pending: 'claim_not_confirmed',
    lapsed: 'claim_attempt_expired',
    claimed: 'already_claimed',
    expired: 'claim_expired',
    revoked: 'claim_expired',
  },
  refresh: {
    unclaimed: 'invalid_refresh_token',
    pending: 'invalid_refresh_token',
    lapsed: 'invalid_refresh_token',
    claimed: 'refreshed',
    expired: 'invalid_refresh_token',
    revoked: 'invalid_refresh_token',
  },
  poll: {
    unclaimed: 'authorization_pending',
    pending: 'authorization_pending',
    lapsed: 'expired_token',
    claimed: 'token',
    expired: 'expired_token',
    revoked: 'invalid_grant',
  },
  exchange: {
    unclaimed: 'token',
    pending: 'token',
    lapsed: 'token',
    // The assertion of before the claim: superseded.
    claimed: 'invalid_grant',
    expired: 'invalid_grant',
    revoked: 'invalid_grant',
  },
  revoke: {
    unclaimed: 'revoked',
    pending: 'revoked',
    lapsed: 'revoked',
    claimed: 'revoked',
    expired: 'no_effect',
    revoked: 'no_effect',
  },
};

const CONFIRMED = {
  ...IN_STATE.pending,
  attempt: { ...ATTEMPT, confirmedAt: NOW - 1000, confirmedBy: OWNER.userId },
};

const DELIVERED = {
  ...IN_STATE.claimed,
  delivery: {
    firstAt: NOW,
    assertion: { jti: 'ia_first', issuedAt: NOW, expiresAt: NOW + 1000 },
  },
};

function nameOf(outcome: Outcome): string {
  return outcome.kind === 'refused' ? outcome.code : outcome.kind;
}

function run<E extends EventName>(
  event: E,
  facts: RegistrationFacts,
  input: Partial<EventInputs[E]> = {},
  now = NOW,
) {
  return decide(event, facts, { ...INPUT[event], ...input }, { ...DECISION_CONTEXT, now });
}

describe('the matrix', () => {
  for (const state of STATES) {
    it(`derives ${state} from facts that mean it`, () => {
      expect(stateOf(IN_STATE[state], NOW)).toBe(state);
    });
    for (const event of EVENTS) {
      it(`answers ${event} in ${state} with ${EXPECTED[event][state]}`, () => {
        expect(nameOf(run(event, IN_STATE[state]).outcome)).toBe(EXPECTED[event][state]);
      });
    }
  }
});

describe('the state', () => {
  it('is over at the instant of its end, not after it', () => {
    expect(stateOf(IN_STATE.pending, ATTEMPT.expiresAt - 1)).toBe('pending');
    expect(stateOf(IN_STATE.pending, ATTEMPT.expiresAt)).toBe('lapsed');
    const { windowEndsAt } = IN_STATE.unclaimed;
    expect(stateOf(IN_STATE.unclaimed, windowEndsAt - 1)).toBe('unclaimed');
    expect(stateOf(IN_STATE.unclaimed, windowEndsAt)).toBe('expired');
  });

  it('stays claimed after the window is over', () => {
    expect(stateOf(IN_STATE.claimed, IN_STATE.claimed.windowEndsAt + 1)).toBe('claimed');
  });

  it('is claimed from the start where no claim is needed', () => {
    const facts = { ...IN_STATE.unclaimed, type: 'identity_assertion', needsClaim: false } as const;
    expect(stateOf(facts, facts.windowEndsAt + 1)).toBe('claimed');
  });

  it('lapses at the fifth wrong code, and at the twentieth of the registration', () => {
    const { pending } = IN_STATE;
    expect(stateOf({ ...pending, attempt: { ...ATTEMPT, wrongCodes: 4 } }, NOW)).toBe('pending');
    expect(stateOf({ ...pending, attempt: { ...ATTEMPT, wrongCodes: 5 } }, NOW)).toBe('lapsed');
    expect(stateOf({ ...pending, wrongCodes: 20 }, NOW)).toBe('lapsed');
  });
});

describe('start', () => {
  it('cuts the attempt to what is left of the window', () => {
    const facts = { ...IN_STATE.unclaimed, windowEndsAt: NOW + 1000 };
    expect(run('start', facts).outcome).toMatchObject({ expiresAt: NOW + 1000 });
  });

  it('lets an anonymous registration correct its email', () => {
    const { outcome, effects } = run('start', IN_STATE.pending, { email: STRANGER.email });
    expect(outcome.kind).toBe('attempt_opened');
    expect(effects).toContainEqual({ kind: 'record_email', email: STRANGER.email });
  });

  it.each(['service_auth', 'identity_assertion'] as const)(
    'holds a registration of type %s to its email',
    (type) => {
      const facts = { ...IN_STATE.pending, type };
      expect(nameOf(run('start', facts, { email: STRANGER.email }).outcome)).toBe('email_mismatch');
      expect(nameOf(run('start', facts, { email: undefined }).outcome)).toBe('attempt_opened');
    },
  );

  it('needs an email when none is on record', () => {
    const { outcome } = run('start', IN_STATE.unclaimed, { email: undefined });
    expect(nameOf(outcome)).toBe('invalid_request');
  });

  it('gives no further attempt after twenty wrong codes', () => {
    const { outcome } = run('start', { ...IN_STATE.lapsed, wrongCodes: 20 });
    expect(nameOf(outcome)).toBe('too_many_attempts');
  });
});

describe('submit', () => {
  it('counts a wrong code and says how many tries are left', () => {
    const { outcome, effects } = run('submit', IN_STATE.pending, { code: 'wrong' });
    expect(outcome).toMatchObject({
      code: 'invalid_user_code',
      members: { attempts_remaining: 4 },
    });
    expect(effects).toEqual([{ kind: 'count_wrong_code' }]);
  });

  it('does not count what cannot be a code', () => {
    const { outcome, effects } = run('submit', IN_STATE.pending, { code: 'malformed' });
    expect(outcome).toMatchObject({ members: { attempts_remaining: 5 } });
    expect(effects).toEqual([]);
  });

  it('neither counts nor accepts the try of a stranger, right code included', () => {
    const { outcome, effects } = run('submit', IN_STATE.pending, { account: STRANGER });
    expect(nameOf(outcome)).toBe('wrong_account');
    expect(effects).toEqual([]);
  });

  it('supersedes what was issued before the claim, and ends it', () => {
    expect(run('submit', IN_STATE.pending).effects).toEqual([
      { kind: 'complete_claim', at: NOW, userId: OWNER.userId },
      { kind: 'raise_version' },
      { kind: 'end_credentials' },
    ]);
  });

  it('refuses the right code once the attempt is burnt', () => {
    const facts = { ...IN_STATE.pending, attempt: { ...ATTEMPT, wrongCodes: 5 } };
    expect(nameOf(run('submit', facts).outcome)).toBe('too_many_attempts');
  });

  it('tells a stranger that the claim was made by somebody else', () => {
    const { outcome } = run('submit', IN_STATE.claimed, { account: STRANGER });
    expect(nameOf(outcome)).toBe('already_claimed');
  });
});

describe('deny', () => {
  it('is final for the attempt and can be repeated', () => {
    const denied = { ...IN_STATE.pending, attempt: { ...ATTEMPT, deniedAt: NOW } };
    expect(nameOf(run('deny', denied).outcome)).toBe('denied');
    expect(nameOf(run('submit', denied).outcome)).toBe('claim_attempt_expired');
    expect(nameOf(run('poll', denied).outcome)).toBe('access_denied');
    expect(nameOf(run('start', denied).outcome)).toBe('attempt_opened');
  });
});

describe('confirm', () => {
  it('remembers when, and by which account', () => {
    expect(run('confirm', IN_STATE.pending).effects).toEqual([
      { kind: 'confirm_attempt', at: NOW, userId: OWNER.userId },
    ]);
  });

  it('can be repeated, which changes nothing', () => {
    const { outcome, effects } = run('confirm', CONFIRMED);
    expect(nameOf(outcome)).toBe('confirmed');
    expect(effects).toEqual([]);
  });

  it.each(['pending', 'lapsed', 'expired', 'revoked'] as const)(
    'tells a stranger nothing of a registration that is %s but that it is not theirs',
    (state) => {
      const { outcome, effects } = run('confirm', IN_STATE[state], { account: STRANGER });
      expect(nameOf(outcome)).toBe('wrong_account');
      expect(effects).toEqual([]);
    },
  );

  it('leaves the claim unmade: denying is still possible, and final', () => {
    expect(stateOf(CONFIRMED, NOW)).toBe('pending');
    expect(nameOf(run('deny', CONFIRMED).outcome)).toBe('denied');
    const denied = { ...CONFIRMED, attempt: { ...CONFIRMED.attempt, deniedAt: NOW } };
    expect(nameOf(run('confirm', denied).outcome)).toBe('claim_attempt_expired');
    expect(nameOf(run('redeem', denied).outcome)).toBe('access_denied');
  });
});

describe('redeem', () => {
  it('says nothing about a code before the user has confirmed, and counts none', () => {
    for (const code of ['right', 'wrong', 'malformed'] as const) {
      const { outcome, effects } = run('redeem', IN_STATE.pending, { code });
      expect(nameOf(outcome)).toBe('claim_not_confirmed');
      expect(effects).toEqual([]);
    }
  });

  it('claims for the account that confirmed, and delivers at once', () => {
    const { outcome, effects } = run('redeem', CONFIRMED);
    const expiresAt = NOW + DEFAULT_LIFETIMES.assertion;
    const assertion = { jti: 'ia_2', issuedAt: NOW, expiresAt };
    const refreshExpiresAt = NOW + DEFAULT_LIFETIMES.refreshToken;
    expect(outcome).toEqual({ kind: 'redeemed', assertion, refreshExpiresAt });
    expect(effects).toEqual([
      { kind: 'complete_claim', at: NOW, userId: OWNER.userId },
      { kind: 'raise_version' },
      { kind: 'end_credentials' },
      { kind: 'deliver', at: NOW, assertion, token: undefined },
      { kind: 'issue_refresh_token', hash: 'refresh-1', at: NOW, expiresAt: refreshExpiresAt },
    ]);
  });

  it('delivers a longer assertion where no refresh token comes with it', () => {
    const { outcome, effects } = run('redeem', CONFIRMED, { refreshHash: undefined });
    const expiresAt = NOW + DEFAULT_LIFETIMES.claimedAssertion;
    expect(outcome).toMatchObject({ assertion: { expiresAt }, refreshExpiresAt: undefined });
    expect(effects.map(({ kind }) => kind)).not.toContain('issue_refresh_token');
  });

  it('needs no confirmation for a code that was mailed to the user', () => {
    const { outcome, effects } = run('redeem', IN_STATE.pending, { mailedTo: OWNER });
    expect(nameOf(outcome)).toBe('redeemed');
    expect(effects).toContainEqual({ kind: 'complete_claim', at: NOW, userId: OWNER.userId });
  });

  it('counts a wrong code, not what cannot be a code, and says how many tries are left', () => {
    const wrong = run('redeem', CONFIRMED, { code: 'wrong' });
    expect(wrong.outcome).toMatchObject({
      surface: 'read_back',
      code: 'invalid_user_code',
      members: { attempts_remaining: 4 },
    });
    expect(wrong.effects).toEqual([{ kind: 'count_wrong_code' }]);
    const malformed = run('redeem', CONFIRMED, { code: 'malformed' });
    expect(malformed.outcome).toMatchObject({ members: { attempts_remaining: 5 } });
    expect(malformed.effects).toEqual([]);
    const last = run('redeem', { ...CONFIRMED, wrongCodes: 19 }, { code: 'wrong' });
    expect(last.outcome).toMatchObject({ members: { attempts_remaining: 0 } });
  });

  it.each([
    ['the attempt', { attempt: { ...ATTEMPT, wrongCodes: 5 } }],
    ['the registration', { wrongCodes: 20 }],
  ])('refuses the right code once %s has had its wrong ones', (_what, facts) => {
    expect(nameOf(run('redeem', { ...CONFIRMED, ...facts }).outcome)).toBe('too_many_attempts');
  });

  it('delivers once', () => {
    const { outcome, effects } = run('redeem', DELIVERED);
    expect(nameOf(outcome)).toBe('already_claimed');
    expect(effects).toEqual([]);
  });

  it('delivers again where the dialect does, in time, with the right code and the same assertion', () => {
    const again = (over: Partial<EventInputs['redeem']>, now = NOW) =>
      run('redeem', DELIVERED, { redelivers: true, ...over }, now);
    const { outcome, effects } = again({});
    expect(outcome).toMatchObject({ kind: 'redeemed', assertion: DELIVERED.delivery.assertion });
    expect(effects.map(({ kind }) => kind)).toEqual([
      'end_refresh_tokens',
      'deliver',
      'issue_refresh_token',
    ]);
    const late = NOW + DEFAULT_LIFETIMES.redelivery;
    expect(nameOf(again({}, late - 1).outcome)).toBe('redeemed');
    expect(nameOf(again({}, late).outcome)).toBe('already_claimed');
    expect(nameOf(again({ code: 'wrong' }).outcome)).toBe('already_claimed');
    expect(nameOf(again({ active: false }).outcome)).toBe('already_claimed');
    // Completed by another way than a code: there is no answer that got lost.
    const { outcome: other } = run('redeem', IN_STATE.claimed, { redelivers: true });
    expect(nameOf(other)).toBe('already_claimed');
  });
});

describe('refresh', () => {
  it('trades a refresh token for the next, and a fresh assertion', () => {
    const { outcome, effects } = run('refresh', DELIVERED);
    const assertion = {
      jti: 'ia_3',
      issuedAt: NOW,
      expiresAt: NOW + DEFAULT_LIFETIMES.assertion,
    };
    const expiresAt = NOW + DEFAULT_LIFETIMES.refreshToken;
    expect(outcome).toEqual({ kind: 'refreshed', assertion, refreshExpiresAt: expiresAt });
    expect(effects).toEqual([
      { kind: 'spend_refresh_token', hash: 'refresh-1', at: NOW },
      { kind: 'issue_assertion', assertion },
      { kind: 'issue_refresh_token', hash: 'refresh-2', at: NOW, expiresAt },
    ]);
  });

  it('ends everything that came of a refresh token which is sent again (RFC 9700 §4.14.2)', () => {
    const { outcome, effects } = run('refresh', DELIVERED, { isSpent: true });
    expect(nameOf(outcome)).toBe('invalid_refresh_token');
    expect(effects).toEqual([
      { kind: 'end_refresh_tokens' },
      { kind: 'raise_version' },
      { kind: 'end_credentials' },
    ]);
  });
});

describe('poll', () => {
  const polledAt = (ago: number, interval = DEFAULT_LIFETIMES.interval) => ({
    ...IN_STATE.pending,
    attempt: { ...ATTEMPT, interval, lastPollAt: NOW - ago },
  });

  it('is never early the first time', () => {
    expect(nameOf(run('poll', IN_STATE.pending).outcome)).toBe('authorization_pending');
  });

  it('tolerates a second of earliness', () => {
    expect(nameOf(run('poll', polledAt(4000)).outcome)).toBe('authorization_pending');
    expect(nameOf(run('poll', polledAt(3999)).outcome)).toBe('slow_down');
  });

  it('adds five seconds for good when it comes too early, to sixty at most', () => {
    expect(run('poll', polledAt(0)).effects).toEqual([
      { kind: 'record_poll', at: NOW, interval: 10_000 },
    ]);
    expect(run('poll', polledAt(10_000, 10_000)).effects).toEqual([
      { kind: 'record_poll', at: NOW, interval: 10_000 },
    ]);
    expect(run('poll', polledAt(0, 58_000)).effects).toEqual([
      { kind: 'record_poll', at: NOW, interval: 60_000 },
    ]);
  });

  it('never stands in for a final answer', () => {
    const { attempt } = polledAt(0);
    expect(nameOf(run('poll', { ...IN_STATE.claimed, attempt }).outcome)).toBe('token');
  });

  it('delivers again within the redelivery time, with the same assertion', () => {
    const assertion = { jti: 'ia_first', issuedAt: NOW - 1000, expiresAt: NOW + 1 };
    const facts = { ...IN_STATE.claimed, delivery: { firstAt: NOW, assertion } };
    const last = NOW + DEFAULT_LIFETIMES.redelivery - 1;
    expect(run('poll', facts, {}, last).outcome).toMatchObject({ kind: 'token', assertion });
    expect(nameOf(run('poll', facts, {}, last + 1).outcome)).toBe('invalid_grant');
  });

  it('is not redelivered when what it rests on was revoked', () => {
    const assertion = { jti: 'ia_first', issuedAt: NOW - 1000, expiresAt: NOW + 1 };
    const facts = { ...IN_STATE.claimed, delivery: { firstAt: NOW, assertion } };
    expect(nameOf(run('poll', facts, { active: false }).outcome)).toBe('invalid_grant');
  });

  it('can be collected until the window ends, or an hour after the claim if that is later', () => {
    const { windowEndsAt } = IN_STATE.claimed;
    expect(nameOf(run('poll', IN_STATE.claimed, {}, windowEndsAt - 1).outcome)).toBe('token');
    expect(nameOf(run('poll', IN_STATE.claimed, {}, windowEndsAt).outcome)).toBe('invalid_grant');
    const late = { ...IN_STATE.claimed, claimedAt: windowEndsAt - 1 };
    expect(nameOf(run('poll', late, {}, windowEndsAt).outcome)).toBe('token');
    expect(nameOf(run('poll', late, {}, windowEndsAt - 1 + 3_600_000).outcome)).toBe(
      'invalid_grant',
    );
  });
});

describe('revoke', () => {
  it('ends every credential with the registration', () => {
    expect(run('revoke', IN_STATE.claimed).effects).toEqual([
      { kind: 'revoke', at: NOW },
      { kind: 'end_credentials' },
    ]);
  });
});

describe('exchange', () => {
  it('gives the pre-claim scope before a claim, never beyond the end of the registration', () => {
    const facts = { ...IN_STATE.unclaimed, windowEndsAt: NOW + 1000 };
    expect(run('exchange', facts).outcome).toMatchObject({
      scopes: ['api.read'],
      expiresAt: NOW + 1000,
    });
  });

  it('gives the post-claim scope to the current version alone', () => {
    expect(run('exchange', IN_STATE.claimed, { version: 2 }).outcome).toMatchObject({
      scopes: ['api.read', 'api.write'],
      expiresAt: NOW + DEFAULT_LIFETIMES.accessToken,
    });
  });

  it('gives nothing to an unclaimed registration that is not anonymous', () => {
    for (const state of ['unclaimed', 'pending', 'lapsed'] as const) {
      const facts = { ...IN_STATE[state], type: 'service_auth' } as const;
      expect(nameOf(run('exchange', facts).outcome)).toBe('invalid_grant');
    }
  });

  it('refuses an assertion whose ground was revoked', () => {
    const { outcome } = run('exchange', IN_STATE.unclaimed, { active: false });
    expect(nameOf(outcome)).toBe('invalid_grant');
  });

  it('narrows the scope, and never widens it', () => {
    const ask = (scopes: readonly string[]) =>
      run('exchange', IN_STATE.claimed, { version: 2, target: { ...EVERYTHING, scopes } }).outcome;
    expect(ask(['api.write'])).toMatchObject({ scopes: ['api.write'] });
    expect(nameOf(ask(['admin']))).toBe('invalid_scope');
    const early = run('exchange', IN_STATE.unclaimed, {
      target: { ...EVERYTHING, scopes: ['api.write'] },
    });
    expect(nameOf(early.outcome)).toBe('invalid_scope');
  });

  it('keeps to the resource that the registration is bound to', () => {
    const bound = `${EVERYTHING.base}/api/resource`;
    const facts = { ...IN_STATE.claimed, resource: bound };
    const ask = (resource: string | undefined) =>
      run('exchange', facts, { version: 2, target: { ...EVERYTHING, resource } }).outcome;
    expect(ask(undefined)).toMatchObject({ resource: bound });
    expect(ask(`${bound}/a`)).toMatchObject({ resource: `${bound}/a` });
    expect(nameOf(ask(EVERYTHING.base))).toBe('invalid_target');
    expect(nameOf(ask(`${bound}s`))).toBe('invalid_target');
  });
});
