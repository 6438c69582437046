import { describe, expect, it } from 'vitest';
import { takenWays, wayTaken } from '../../../src/live/registrations/way-taken.ts';
import type { STATES } from '../../../src/protocol/index.ts';

const entry = (action: string) => ({ at: '2026-01-05T09:30:00Z', actor: 'agent', action });
const way = (type: string, state: (typeof STATES)[number], ...actions: string[]) =>
  wayTaken({ type, state, history: ['registration.created', ...actions].map(entry) });

describe('the way that a registration took', () => {
  it('begins unclaimed where no user was asked for, and ends where it is now', () => {
    expect(way('anonymous', 'unclaimed', 'assertion.issued', 'token.issued')).toEqual([
      'unclaimed',
    ]);
    expect(way('anonymous', 'claimed', 'claim.started', 'claim.completed')).toEqual([
      'unclaimed',
      'pending',
      'claimed',
    ]);
  });

  it('knows the ends that time brings, which nobody records', () => {
    expect(way('service_auth', 'lapsed', 'claim.started')).toEqual(['pending', 'lapsed']);
    expect(way('anonymous', 'expired')).toEqual(['unclaimed', 'expired']);
  });

  it('goes on after a denial, and after a claim only to its end', () => {
    expect(
      way(
        'service_auth',
        'claimed',
        'claim.started',
        'claim.denied',
        'claim.started',
        'claim.completed',
      ),
    ).toEqual(['pending', 'lapsed', 'pending', 'claimed']);
    expect(
      way(
        'service_auth',
        'revoked',
        'claim.started',
        'claim.completed',
        'claim.started',
        'registration.revoked',
      ),
    ).toEqual(['pending', 'claimed', 'revoked']);
  });
});

it('is of pairs of states, one after the other', () => {
  expect([...takenWays(['unclaimed', 'pending', 'lapsed', 'pending', 'claimed'])]).toEqual([
    'unclaimed pending',
    'pending lapsed',
    'lapsed pending',
    'pending claimed',
  ]);
});
