import { describe, expect, it } from 'vitest';
import {
  type Change,
  EMPTY,
  filtered,
  isPassive,
  MOST_KEPT,
  NO_FILTER,
  NOTHING_SENT,
  next,
  onlyOf,
  putAway,
  RESTORED,
  shownOf,
  type ViewState,
  withExchanges,
  withMissing,
} from '../../../src/live/state/view-state.ts';
import { liveExchange } from '../live-exchange.ts';
import { stagedSnapshot } from '../staged-snapshot.ts';

const told = (...all: readonly Change[]) => all.reduce(next, EMPTY);
const exchanges = (...all: Parameters<typeof liveExchange>[]) =>
  withExchanges(all.map(([seq, more]) => liveExchange(seq, more)));
const range = (begin: number, end: number) =>
  withExchanges(Array.from({ length: end - begin }, (_, index) => liveExchange(begin + index)));
const all = ({ exchanges }: ViewState) => [...exchanges.values()];
const shown = (state: ViewState) => shownOf(state).exchanges;

describe('what the live view was told', () => {
  it('adds what is new, and replaces what came before whole', () => {
    const state = told(
      exchanges([1], [2, { meaning: 'still coming' }]),
      exchanges([2, { meaning: 'whole' }], [3]),
    );
    expect(all(state).map(({ meaning, seq }) => [seq, meaning])).toEqual([
      [1, 'the token is valid'],
      [2, 'whole'],
      [3, 'the token is valid'],
    ]);
  });

  it('keeps the latest thousand and what belongs to them', () => {
    const state = told(withMissing(5), exchanges([6]), range(7, 7 + MOST_KEPT));
    expect(state.exchanges.size).toBe(MOST_KEPT);
    expect(all(state)[0]?.seq).toBe(7);
    expect(state.gaps.size).toBe(0);
  });

  it('takes no exchange in again that was let go of', () => {
    const full = told(range(1, MOST_KEPT + 11));
    const again = next(full, exchanges([3, { meaning: 'whole' }]));
    expect(all(again).map(({ seq }) => seq)).toEqual(all(full).map(({ seq }) => seq));
  });

  it('marks where exchanges are missing', () => {
    const state = told(exchanges([1]), withMissing(40), withMissing(2), exchanges([44], [45]));
    expect([...state.gaps]).toEqual([[44, 42]]);
    expect(state.missing).toBe(0);
  });

  it('is emptied by a reset, and goes on with what comes', () => {
    const state = told(range(1, 100), NOTHING_SENT, exchanges([100]));
    expect(all(state).map(({ seq }) => seq)).toEqual([100]);
  });

  it('is put away, goes on with what comes, and is there again when it is wanted', () => {
    const state = told(range(1, 100), putAway);
    expect(shown(state)).toEqual([]);
    // What is told again of one that was put away does not bring it back.
    const more = next(state, exchanges([99, { meaning: 'whole' }], [120]));
    expect(shown(more).map(({ seq }) => seq)).toEqual([120]);
    const again = shown(next(more, RESTORED));
    expect([again.length, again[98]?.meaning]).toEqual([100, 'whole']);
    expect(shown(told(putAway, exchanges([1])))).toHaveLength(1);
  });

  it('is put away for no longer than until a reset', () => {
    const state = told(range(1, 100), putAway, NOTHING_SENT, exchanges([3]));
    expect(shown(state).map(({ seq }) => seq)).toEqual([3]);
  });
});

it('leads from a registration to its exchanges, whatever was looked for and looked at', () => {
  const state = told(filtered({ text: 'poll' }), filtered({ troubleOnly: true }), {
    pane: 'mails',
  });
  expect(state.filter).toEqual({ ...NO_FILTER, text: 'poll', troubleOnly: true });
  const exchange = liveExchange(1);
  const row = { kind: 'exchange', key: '1', exchange, all: [exchange], mark: undefined } as const;
  const opened = next(state, { opened: row });
  // Its details stay where there is room for them (they closed).
  expect(next(opened, onlyOf('reg_1'))).toEqual({
    ...EMPTY,
    filter: { ...NO_FILTER, registration: 'reg_1' },
    opened: row,
  });
});

it('takes what nobody here controls for passive, and nothing before it is known', () => {
  const snapshot = stagedSnapshot({ now: 0 });
  const parties = snapshot.parties.map((party) => ({ ...party, controls: [] }));
  const mixed = [...parties.slice(0, 1), ...snapshot.parties.slice(1)];
  expect(isPassive({ ...EMPTY, snapshot: { ...snapshot, parties } })).toBe(true);
  expect(isPassive({ ...EMPTY, snapshot: { ...snapshot, parties: mixed } })).toBe(false);
  expect(isPassive({ ...EMPTY, snapshot })).toBe(false);
  expect(isPassive(EMPTY)).toBe(false);
});
