import { describe, expect, it } from 'vitest';
import {
  type Change,
  EMPTY,
  isPassive,
  MOST_KEPT,
  NO_FILTER,
  next,
  onlyOf,
  withExchanges,
} from '../../../src/live/state/view-state.ts';
import { liveExchange } from '../live-exchange.ts';
import { stagedSnapshot } from '../staged-snapshot.ts';

const told = (...all: readonly Change[]) => all.reduce(next, EMPTY);
const all = ({ exchanges }: typeof EMPTY) => [...exchanges.values()];

describe('what the live view was told', () => {
  it('adds what is new, and replaces what came before whole', () => {
    const state = told(
      withExchanges([liveExchange(1), liveExchange(2, { meaning: 'still coming' })]),
      withExchanges([liveExchange(3), liveExchange(2, { meaning: 'whole' })]),
    );
    expect(all(state).map(({ meaning, seq }) => [seq, meaning])).toEqual([
      [1, 'the token is valid'],
      [2, 'whole'],
      [3, 'the token is valid'],
    ]);
  });

  it('keeps the latest thousand', () => {
    const many = Array.from({ length: MOST_KEPT + 2 }, (_, at) => liveExchange(at + 1));
    const state = told(withExchanges(many));
    expect([state.exchanges.size, all(state)[0]?.seq]).toEqual([MOST_KEPT, 3]);
  });
});

it('leads from a registration to its exchanges, whatever was looked for and looked at', () => {
  const filter = { ...NO_FILTER, text: 'poll', troubleOnly: true };
  const state = told({ filter }, { pane: 'mails' });
  const exchange = liveExchange(1);
  const row = { kind: 'exchange', key: '1', exchange, times: 1, mark: undefined } as const;
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
  expect(isPassive({ ...EMPTY, snapshot: { ...snapshot, has_controls: false } })).toBe(true);
  expect(isPassive({ ...EMPTY, snapshot })).toBe(false);
  expect(isPassive(EMPTY)).toBe(false);
});
