import { describe, expect, it } from 'vitest';
import type { Fault, Wired } from '../../../src/mock/faults/fault.ts';
import { registerFaults } from '../../../src/mock/faults/registry.ts';

const BUILT_IN: Readonly<Record<string, Readonly<Record<string, Fault<Wired>>>>> = {
  early: { first: { description: 'errs first' } },
  late: { second: { description: 'errs second' } },
};

const mine: Fault<Wired> = { name: 'mine', description: 'errs in a way of its own' };

describe('the faults that a mock knows', () => {
  it('are the built-in ones, in their order, none of them on', () => {
    const { faults, initial, known } = registerFaults(BUILT_IN, []);
    expect([...faults.keys()]).toEqual(['first', 'second']);
    expect(known).toEqual([
      { name: 'first', group: 'early', description: 'errs first' },
      { name: 'second', group: 'late', description: 'errs second' },
    ]);
    expect(initial).toEqual([]);
  });

  it('are on at the start as they were named, in the order of the catalogue', () => {
    expect(registerFaults(BUILT_IN, ['second', 'first', 'second']).initial).toEqual([
      'first',
      'second',
    ]);
  });

  it("hold one's own after ours, in the order given, and list them as such", () => {
    const nameless: Fault<Wired> = { description: 'errs without a name' };
    const { faults, initial, known } = registerFaults(BUILT_IN, [mine, 'second', nameless]);
    expect([...faults.keys()]).toEqual(['first', 'second', 'mine', 'own2']);
    expect(known.slice(2)).toEqual([
      { name: 'mine', group: null, description: 'errs in a way of its own' },
      { name: 'own2', group: null, description: 'errs without a name' },
    ]);
    expect(initial).toEqual(['second', 'mine', 'own2']);
    expect(faults.get('mine')).toBe(mine);
  });

  it.each([
    [
      'a name that nobody knows',
      ['nothing'],
      'There is no fault "nothing". "agent-auth mock fault --list"',
    ],
    ['a name with a slip', ['frist'], 'There is no fault "frist". Did you mean "first"?'],
    ['a name of Object', ['constructor'], 'There is no fault "constructor"'],
    ['a name of ours', [{ ...mine, name: 'first' }], 'There is a fault "first" already.'],
    ['one name twice', [mine, mine], 'There is a fault "mine" already.'],
    ['a name with a space', [{ ...mine, name: 'a b' }], 'letters and digits'],
  ])('refuse %s, and say why', (_what, given, message) => {
    expect(() => registerFaults(BUILT_IN, given)).toThrow(TypeError);
    expect(() => registerFaults(BUILT_IN, given)).toThrow(message);
  });
});
