import { describe, expect, it } from 'vitest';
import {
  CHART,
  CHART_STATES,
  CHART_WAYS,
  takenWays,
} from '../../../src/live/registrations/state-chart.ts';
import { wayTaken } from '../../../src/live/registrations/way-taken.ts';
import { STATES } from '../../../src/protocol/index.ts';

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

describe('the diagram of the claim machine', () => {
  it('has each state once, within the picture, and none over another', () => {
    expect(CHART_STATES.map(({ state }) => state).sort()).toEqual([...STATES].sort());
    const { height, stateHeight, stateWidth, width } = CHART;
    for (const one of CHART_STATES) {
      expect(one.x - stateWidth / 2).toBeGreaterThanOrEqual(0);
      expect(one.x + stateWidth / 2).toBeLessThanOrEqual(width);
      expect(one.y + stateHeight / 2).toBeLessThanOrEqual(height);
      const over = CHART_STATES.filter(
        (other) =>
          other !== one &&
          Math.abs(other.x - one.x) < stateWidth &&
          Math.abs(other.y - one.y) < stateHeight,
      );
      expect(over).toEqual([]);
    }
  });

  it('has the ways of the machine, and marks those that were taken', () => {
    const ways = CHART_WAYS.map(({ from, to }) => `${from} ${to}`);
    expect(new Set(ways).size).toBe(ways.length);
    for (const from of ['unclaimed', 'pending', 'lapsed', 'claimed']) {
      expect(ways).toContain(`${from} revoked`);
    }
    for (const from of ['unclaimed', 'pending', 'lapsed'])
      expect(ways).toContain(`${from} expired`);
    const taken = takenWays(['unclaimed', 'pending', 'lapsed', 'pending', 'claimed', 'revoked']);
    expect([...taken].filter((each) => !ways.includes(each))).toEqual([]);
    expect(taken.size).toBe(5);
  });
});
