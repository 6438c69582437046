import { describe, expect, it } from 'vitest';
import type { Registration, RegistrationState } from '../../../src/agent/index.ts';
import { registrationState } from '../../../src/agent/records/registration-state.ts';
import { Secret } from '../../../src/runtime/index.ts';
import { registration } from '../credentials/some-credentials.ts';

const { claim, assertion, token } = registration('x');
const NOW = 1000;
const CLAIMED = { claim: null, claimed: true };
const BY_ID_JAG = { type: 'identity_assertion', provider: 'https://provider.example' } as const;

/** What is held, over at this instant. */
function past(what: 'assertion' | 'token'): Partial<Registration> {
  return what === 'assertion'
    ? { assertion: assertion && { ...assertion, expiresAt: NOW } }
    : { token: token && { ...token, expiresAt: NOW } };
}
const OVER = { ...past('assertion'), ...past('token') };

function facts(over: {
  window?: number | null;
  attempt?: number | null;
  ended?: 'denied' | 'expired' | null;
}): Partial<Registration> {
  if (!claim?.attempt) throw new Error('The sample has an attempt.');
  const { window = 2000, attempt = 1500, ended = null } = over;
  return {
    claim: {
      ...claim,
      expiresAt: window,
      attempt: attempt === null ? null : { ...claim.attempt, expiresAt: attempt, ended },
    },
  };
}

describe('the state of a registration', () => {
  it.each<[state: RegistrationState, when: string, facts: Partial<Registration>]>([
    ['unclaimed', 'no attempt was opened', facts({ attempt: null })],
    ['pending', 'an attempt is open', facts({})],
    ['lapsed', 'the attempt is over at this instant', facts({ attempt: NOW })],
    ['lapsed', 'the attempt was refused', facts({ ended: 'denied' })],
    ['lapsed', 'the attempt was burnt', facts({ ended: 'expired' })],
    ['expired', 'the window is over at this instant', facts({ window: NOW })],
    ['expired', 'the service said so', { claim: null, ended: 'expired' }],
    ['unclaimed', 'nobody said when the window ends', facts({ window: null, attempt: null })],
    ['claimed', 'it was claimed', { claim: null, claimed: true }],
    [
      'claimed',
      'it was claimed, and its token is good still',
      { ...CLAIMED, ...past('assertion') },
    ],
    ['claimed', 'it was claimed, and its token alone is over', { ...CLAIMED, ...past('token') }],
    ['expired', 'it was claimed, and all that it holds is over', { ...CLAIMED, ...OVER }],
    [
      'claimed',
      'it was claimed, and what renews it is good still',
      { ...CLAIMED, ...OVER, refresh: { value: new Secret('r'), expiresAt: NOW + 1 } },
    ],
    ['claimed', 'another ID-JAG leads to it', { ...CLAIMED, ...OVER, ...BY_ID_JAG }],
    [
      'expired',
      'its ID-JAG was given, and all is over',
      { ...CLAIMED, ...OVER, ...BY_ID_JAG, assertionGiven: true },
    ],
    ['unclaimed', 'its token is good still', { claim: null, ...past('assertion') }],
    ['expired', 'all is over and nothing can be claimed', { claim: null, ...OVER }],
    ['revoked', 'it was revoked, claimed or not', { claimed: true, ended: 'revoked' }],
    ['revoked', 'it was revoked while open', { ...facts({}), ended: 'revoked' }],
  ])('is %s when %s', (state, _when, over) => {
    expect(registrationState(registration('x', over), NOW)).toBe(state);
  });
});
