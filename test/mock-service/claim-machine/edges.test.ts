import { describe, expect, it } from 'vitest';
import type { EventInputs, EventName } from '../../../src/mock-service/claim-machine/events.ts';
import type { RegistrationFacts } from '../../../src/mock-service/claim-machine/facts.ts';
import { decide } from '../../../src/mock-service/claim-machine/matrix.ts';
import {
  ATTEMPT,
  BASE,
  DECISION_CONTEXT,
  EVERYTHING,
  IN_STATE,
  NOW,
  OWNER,
  STRANGER,
} from './facts.ts';

function run<E extends EventName>(event: E, facts: RegistrationFacts, input: EventInputs[E]) {
  return decide(event, facts, input, DECISION_CONTEXT);
}

function outcomeOf<E extends EventName>(event: E, facts: RegistrationFacts, input: EventInputs[E]) {
  return run(event, facts, input).outcome;
}

const DENIED = { ...IN_STATE.pending, attempt: { ...ATTEMPT, deniedAt: NOW - 1000 } };

describe('a stranger at a link', () => {
  it('is not told that its owner denied it, by denying it as well', () => {
    const { outcome, effects } = run('deny', DENIED, { account: STRANGER });
    expect(outcome).toMatchObject({ kind: 'refused', code: 'wrong_account' });
    expect(effects).toEqual([]);
    expect(outcomeOf('deny', DENIED, { account: OWNER })).toEqual({ kind: 'denied' });
  });

  it.each(['lapsed', 'expired', 'revoked'] as const)(
    'learns nothing of a registration that is %s but that it is not theirs',
    (state) => {
      const refused = { kind: 'refused', code: 'wrong_account' };
      const facts = IN_STATE[state];
      expect(outcomeOf('deny', facts, { account: STRANGER })).toMatchObject(refused);
      const typed = { account: STRANGER, code: 'right' } as const;
      expect(outcomeOf('submit', facts, typed)).toMatchObject(refused);
    },
  );
});

describe('a wrong code', () => {
  it('leaves no more tries than the registration has', () => {
    const facts = { ...IN_STATE.pending, wrongCodes: 17 };
    expect(outcomeOf('submit', facts, { account: OWNER, code: 'wrong' })).toMatchObject({
      code: 'invalid_user_code',
      members: { attempts_remaining: 2 },
    });
  });

  it('is not the end that is told of an attempt which was denied before', () => {
    const facts = { ...DENIED, wrongCodes: 20 };
    expect(outcomeOf('submit', facts, { account: OWNER, code: 'right' })).toMatchObject({
      code: 'claim_attempt_expired',
    });
  });
});

describe('slow_down', () => {
  it('shortens no interval that is longer than its limit', () => {
    const attempt = { ...ATTEMPT, interval: 90_000, lastPollAt: NOW };
    const input = {
      tokenHash: 'access-1',
      assertionJti: 'ia_2',
      active: true,
      target: EVERYTHING,
    };
    const { outcome, effects } = run('poll', { ...IN_STATE.pending, attempt }, input);
    expect(outcome).toMatchObject({ code: 'slow_down' });
    expect(effects).toEqual([{ kind: 'record_poll', at: NOW, interval: 90_000 }]);
  });
});

describe('what a token is for', () => {
  const exchange = (target: Partial<EventInputs['exchange']['target']>) =>
    outcomeOf('exchange', IN_STATE.claimed, {
      tokenHash: 'access-1',
      assertionJti: 'ia_1',
      version: 2,
      active: true,
      target: { ...EVERYTHING, ...target },
    });

  it('is written in one spelling, without a final slash', () => {
    expect(exchange({ resource: `${BASE}/` })).toMatchObject({ kind: 'token', resource: BASE });
  });

  it('names each scope once, in the order of the registration', () => {
    const scopes = ['api.write', 'api.read', 'api.write'];
    expect(exchange({ scopes })).toMatchObject({ scopes: ['api.read', 'api.write'] });
  });
});
