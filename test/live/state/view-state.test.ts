import { describe, expect, it } from 'vitest';
import {
  EMPTY,
  MOST_KEPT,
  next,
  notCleared,
  type Told,
} from '../../../src/live/state/view-state.ts';
import { liveExchange } from '../live-exchange.ts';

const told = (...all: readonly Told[]) => all.reduce(next, EMPTY);
const exchanges = (...all: Parameters<typeof liveExchange>[]): Told => ({
  kind: 'exchanges',
  exchanges: all.map(([seq, more]) => liveExchange(seq, more)),
});
const range = (begin: number, end: number): Told => ({
  kind: 'exchanges',
  exchanges: Array.from({ length: end - begin }, (_, index) => liveExchange(begin + index)),
});

describe('what the live view was told', () => {
  it('adds what is new, and replaces what came before whole', () => {
    const state = told(
      exchanges([1], [2, { meaning: 'still coming' }]),
      exchanges([2, { meaning: 'whole' }], [3]),
    );
    expect(state.exchanges.map(({ meaning, seq }) => [seq, meaning])).toEqual([
      [1, 'the token is valid'],
      [2, 'whole'],
      [3, 'the token is valid'],
    ]);
  });

  it('keeps the latest 10,000 and what belongs to them', () => {
    const state = told(
      { kind: 'dropped', count: 5 },
      exchanges([6, { registration_id: 'reg_1', state: 'pending' }]),
      range(7, 7 + MOST_KEPT),
    );
    expect(state.exchanges).toHaveLength(MOST_KEPT);
    expect(state.exchanges[0]?.seq).toBe(7);
    expect([state.gaps.size, state.marks.size]).toEqual([0, 0]);
  });

  it('takes no exchange in again that was let go of', () => {
    const full = told(range(1, MOST_KEPT + 11));
    const again = next(full, exchanges([3, { meaning: 'whole' }]));
    expect(again.exchanges.map(({ seq }) => seq)).toEqual(full.exchanges.map(({ seq }) => seq));
  });

  it('marks where exchanges are missing', () => {
    const state = told(
      exchanges([1]),
      { kind: 'dropped', count: 40 },
      { kind: 'dropped', count: 2 },
      exchanges([44], [45]),
    );
    expect([...state.gaps]).toEqual([[44, 42]]);
    expect(state.missing).toBe(0);
  });

  it('marks an exchange that led a registration to another state, and no other', () => {
    const of = (id: string, state: 'pending' | 'claimed') => ({ registration_id: id, state });
    const state = told(
      exchanges([1, of('a', 'pending')], [2, of('b', 'pending')], [3, of('a', 'pending')]),
      exchanges([4, of('a', 'claimed')], [5, { registration_id: 'a' }], [6, of('a', 'claimed')]),
    );
    expect([...state.marks]).toEqual([
      [1, 'pending'],
      [2, 'pending'],
      [4, 'claimed'],
    ]);
  });

  it('forgets the states of old registrations before it fills the memory', () => {
    const state = told({
      kind: 'exchanges',
      exchanges: Array.from({ length: MOST_KEPT + 50 }, (_, index) =>
        liveExchange(index + 1, { registration_id: `reg_${index}`, state: 'pending' }),
      ),
    });
    expect(state.states.size).toBe(MOST_KEPT);
  });

  it('is emptied by a reset, and goes on with what comes', () => {
    const state = told(range(1, 100), { kind: 'reset' }, exchanges([100]));
    expect(state.exchanges.map(({ seq }) => seq)).toEqual([100]);
  });

  it('is put away, goes on with what comes, and is there again when it is wanted', () => {
    const state = told(range(1, 100), { kind: 'cleared' });
    expect(notCleared(state)).toEqual([]);
    // What is told again of one that was put away does not bring it back.
    const more = next(state, exchanges([99, { meaning: 'whole' }], [120]));
    expect(notCleared(more).map(({ seq }) => seq)).toEqual([120]);
    const again = notCleared(next(more, { kind: 'restored' }));
    expect([again.length, again[98]?.meaning]).toEqual([100, 'whole']);
    expect(notCleared(told({ kind: 'cleared' }, exchanges([1])))).toHaveLength(1);
  });

  it('is put away for no longer than until a reset', () => {
    const state = told(range(1, 100), { kind: 'cleared' }, { kind: 'reset' }, exchanges([3]));
    expect(notCleared(state).map(({ seq }) => seq)).toEqual([3]);
  });
});
