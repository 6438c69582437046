import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/mock/faults/fault.ts';
import { assemble } from '../../../src/mock/faults/wiring.ts';

interface Toy {
  readonly config: { readonly lifetime: number };
  readonly decisions: { readonly checks: readonly string[] };
  readonly read: (text: string) => string;
}

const right: Toy = {
  config: { lifetime: 60 },
  decisions: { checks: ['audience', 'expired'] },
  read: (text) => text.trim(),
};

const longLife: Fault<Toy> = {
  description: 'lives twice as long',
  config: ({ lifetime }) => ({ lifetime: 2 * lifetime }),
};
const uncheckedAudience: Fault<Toy> = {
  description: 'checks no audience',
  decisions: ({ checks }) => ({ checks: checks.filter((name) => name !== 'audience') }),
};
const shouting: Fault<Toy> = {
  description: 'reads in capitals',
  parts: ({ read }) => ({ read: (text) => read(text).toUpperCase() }),
};
const marking: Fault<Toy> = {
  description: 'reads a mark along',
  parts: ({ read }) => ({ read: (text) => `${read(text)}!` }),
};

describe('a mock with faults', () => {
  it('is the right one itself when there is none', () => {
    expect(assemble(right, [])).toEqual({ mock: right, tampers: [] });
    expect(assemble(right, []).mock).toBe(right);
  });

  it('has another configuration, other decisions, other parts, and leaves the right one as it was', () => {
    const { mock } = assemble(right, [longLife, uncheckedAudience, shouting]);
    expect(mock.config).toEqual({ lifetime: 120 });
    expect(mock.decisions).toEqual({ checks: ['expired'] });
    expect(mock.read(' a ')).toBe('A');
    expect(right.config).toEqual({ lifetime: 60 });
    expect(right.read(' a ')).toBe('a');
  });

  it('folds each fault over what the one before it left', () => {
    expect(assemble(right, [shouting, marking]).mock.read('a')).toBe('A!');
    expect(assemble(right, [longLife, longLife]).mock.config.lifetime).toBe(240);
  });

  it('lets a fault of parts see the configuration that a fault before it left', () => {
    const telling: Fault<Toy> = {
      description: 'tells its lifetime',
      parts: ({ config }) => ({ read: () => String(config.lifetime) }),
    };
    expect(assemble(right, [longLife, telling]).mock.read('')).toBe('120');
  });
});
