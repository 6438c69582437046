import { describe, expect, it } from 'vitest';
import { arrowOf, lanesOf } from '../../../src/live/exchanges/lanes.ts';
import { stagedSnapshot } from '../staged-snapshot.ts';

const { parties } = stagedSnapshot({ now: 0 });

describe('the lanes of the diagram', () => {
  it('are of those who take part, in the same order always', () => {
    expect(lanesOf(new Set(), [])).toEqual(['agent']);
    expect(lanesOf(new Set(), parties)).toEqual(['agent', 'provider', 'service']);
    expect(lanesOf(new Set(['user', 'service', 'agent'] as const), [])).toEqual([
      'agent',
      'service',
      'user',
    ]);
  });

  it('have an arrow from the sender to the receiver between them', () => {
    const lanes = ['agent', 'provider', 'service', 'user'] as const;
    expect(arrowOf(lanes, 'agent', 'service')).toEqual({
      left: 0.125,
      width: 0.5,
      isToLeft: false,
    });
    expect(arrowOf(lanes, 'user', 'service')).toEqual({ left: 0.625, width: 0.25, isToLeft: true });
    expect(arrowOf(['agent', 'service'], 'user', 'service')).toBeUndefined();
  });
});
