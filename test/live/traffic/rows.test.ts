import { describe, expect, it } from 'vitest';
import { EMPTY, type Filter, NO_FILTER } from '../../../src/live/state/view-state.ts';
import { lanesOf, type Row, rowsOf } from '../../../src/live/traffic/rows.ts';
import type { LiveChange, LiveExchange } from '../../../src/mock/live/model.ts';
import { liveExchange, pollExchange } from '../live-exchange.ts';
import { stagedSnapshot } from '../staged-snapshot.ts';

const rows = (
  exchanges: readonly LiveExchange[],
  filter: Partial<Filter> = {},
  changes: readonly LiveChange[] = [],
) => rowsOf(exchanges, changes, { ...NO_FILTER, ...filter });
/** The last of each line, and how many it stands for; what a control did. */
const shape = (all: readonly Row[]) =>
  all.map((row) => {
    if (row.kind === 'change') return `${row.lane}: ${row.done}`;
    return row.times === 1 ? `${row.exchange.seq}` : `${row.times} to ${row.exchange.seq}`;
  });
const FINDING = {
  requirement: 'POLL-1',
  also: [],
  times: 1,
  level: 'must',
  by: 'agent',
  message: 'It polls too fast.',
  seq: 3,
} as const;

describe('the lines of the diagram', () => {
  it('puts what caused another exchange above it, though that ended first', () => {
    const effect = liveExchange(1, { at: '2026-01-05T09:30:00.020Z', from: 'service' });
    const cause = liveExchange(2, { at: '2026-01-05T09:30:00.010Z', duration_ms: 40 });
    expect(shape(rows([effect, cause]))).toEqual(['2', '1']);
  });

  it('makes one line of polls that ask the same again', () => {
    const all = rows([liveExchange(1), pollExchange(2), pollExchange(3), pollExchange(4)]);
    expect(shape(all)).toEqual(['1', '3 to 4']);
  });

  it('makes one line of polls that make the same mistake again', () => {
    const wrong = (seq: number, times: number) =>
      pollExchange(seq, { findings: [{ ...FINDING, seq, times }] });
    const all = rows([pollExchange(1), wrong(2, 1), wrong(3, 2), wrong(4, 3), pollExchange(5)]);
    expect(shape(all)).toEqual(['1', '3 to 4', '5']);
  });

  it('keeps apart what only looks the same', () => {
    const all = rows([
      pollExchange(1),
      pollExchange(2, { registration_id: 'reg_2' }),
      pollExchange(3, { registration_id: 'reg_2', findings: [FINDING] }),
      pollExchange(4, { status: 200, registration_id: 'reg_2' }),
      liveExchange(5),
      liveExchange(6),
    ]);
    expect(shape(all)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('marks an exchange that led a registration to another state, and no other', () => {
    const of = (registration_id: string, state: 'pending' | 'claimed') => ({
      registration_id,
      state,
    });
    const all = rows([
      liveExchange(1, of('a', 'pending')),
      liveExchange(2, of('b', 'pending')),
      liveExchange(3, of('a', 'pending')),
      pollExchange(4, { ...of('a', 'pending') }),
      pollExchange(5, { ...of('a', 'claimed') }),
      liveExchange(6, { registration_id: 'a' }),
    ]);
    expect(all.map((row) => row.kind === 'exchange' && row.mark)).toEqual([
      'pending',
      'pending',
      undefined,
      undefined,
      'claimed',
      undefined,
    ]);
  });

  it('finds by each word, whatever its letters, in what a reader sees', () => {
    const exchanges = [
      liveExchange(1, { path: '/agent/identity', meaning: 'Registered' }),
      liveExchange(2, { status: null }),
      liveExchange(3, { findings: [FINDING] }),
    ];
    expect(shape(rows(exchanges, { text: ' IDENTITY registered ' }))).toEqual(['1']);
    expect(shape(rows(exchanges, { text: 'no answer' }))).toEqual(['2']);
    expect(shape(rows(exchanges, { text: 'too fast' }))).toEqual(['3']);
    expect(shape(rows(exchanges, { text: 'identity fast' }))).toEqual([]);
  });

  it('leaves out what a browser fetches beside a page, until it is wanted or wrong', () => {
    const request = (dest: string) => ({
      request: { ...liveExchange(1).request, headers: { 'sec-fetch-dest': dest } },
    });
    const file = { from: 'user', step: 'other', path: '/style.css', ...request('style') } as const;
    const exchanges = [
      liveExchange(1, file),
      liveExchange(2, { ...file, ...request('image'), path: '/favicon.svg' }),
      liveExchange(3, { ...file, ...request('document'), step: 'page' }),
      liveExchange(4, { ...file, status: 404 }),
      liveExchange(5, { ...file, from: 'agent', request: liveExchange(1).request }),
    ];
    expect(shape(rows(exchanges))).toEqual(['3', '4', '5']);
    expect(shape(rows(exchanges, { pageFiles: true }))).toEqual(['1', '2', '3', '4', '5']);
    expect(shape(rows(exchanges, { text: 'favicon' }))).toEqual(['2']);
  });

  it('finds by party and by registration', () => {
    const exchanges = [
      liveExchange(1, { to: 'provider' }),
      liveExchange(2, { from: 'user' }),
      pollExchange(3),
    ];
    expect(shape(rows(exchanges, { party: 'provider' }))).toEqual(['1']);
    expect(shape(rows(exchanges, { party: 'user' }))).toEqual(['2']);
    expect(shape(rows(exchanges, { registration: 'reg_1' }))).toEqual(['3']);
  });

  it('shows as errors what was refused, failed or is wrong, and not the wait for a user', () => {
    const exchanges = [
      liveExchange(1),
      pollExchange(2),
      liveExchange(3, { status: 303 }),
      liveExchange(4, { status: 401 }),
      liveExchange(5, { status: 503 }),
      liveExchange(6, { status: null }),
      liveExchange(7, { findings: [FINDING] }),
    ];
    expect(shape(rows(exchanges, { troubleOnly: true }))).toEqual(['4', '5', '6', '7']);
  });
});

describe('what a control did in the place of a user', () => {
  const change = (at: string, more: Partial<LiveChange> = {}): LiveChange => ({
    seq: 1,
    at,
    role: 'service',
    action: 'claim.completed',
    registration_id: 'reg_1',
    detail: {},
    ...more,
  });
  const at = (second: number) => `2026-03-01T09:30:0${second}.000Z`;
  const polls = [1, 2, 3, 4].map((seq) => pollExchange(seq, { at: at(seq) }));

  it('has a line of its own between the polls that it came between', () => {
    const all = rows(polls, {}, [change(at(2)), change(at(9), { seq: 2 })]);
    const done = 'user: claim completed';
    expect(shape(all)).toEqual(['2 to 2', done, '2 to 4', done]);
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    expect(all[1]).toMatchObject({ meaning: 'in place of the user', mark: 'claimed' });
  });

  it('does not part the polls where a filter hides it', () => {
    const changes = [change(at(2))];
    expect(shape(rows(polls, { troubleOnly: true }, changes))).toEqual([]);
    expect(shape(rows(polls, { registration: 'reg_9' }, changes))).toEqual([]);
    expect(shape(rows(polls, { text: 'pending' }, changes))).toEqual(['4 to 4']);
    expect(shape(rows(polls, { party: 'user' }, changes))).toEqual(['user: claim completed']);
  });

  it('says at which of two mocks a reset was, where no lane shows it', () => {
    const resets = (['service', 'provider'] as const).map((role) =>
      change(at(2), { action: 'reset', registration_id: null, role }),
    );
    const all = rows([], {}, resets);
    expect(all.map(({ key }) => key)).toEqual(['service 1', 'provider 1']);
    expect(all).toMatchObject([{ meaning: 'at the service' }, { meaning: 'at the provider' }]);
  });

  it.each([
    [
      'clock.moved',
      { offset_ms: 660_000 },
      'service: clock moved',
      'at the service, offset: +11 minutes',
    ],
    ['clock.moved', { offset_ms: 0 }, 'service: clock moved', 'at the service, offset: none'],
    [
      'faults.set',
      { faults: '' },
      'service: faults set',
      'at the service, faults that are on: none',
    ],
    [
      'sign_in.set',
      { decision: 'deny' },
      'service: sign in set',
      'at the service, answer to each sign-in: deny',
    ],
    ['policy.set', { rules: 1 }, 'service: policy set', 'at the service, rules that decide now: 1'],
  ])(
    'says what a mock does from %s on in the lane of the mock: %j',
    (action, detail, line, meaning) => {
      const all = rows([], {}, [change(at(2), { action, detail, registration_id: null })]);
      expect(shape(all)).toEqual([line]);
      expect(all[0]).toMatchObject({ meaning });
    },
  );

  it('leaves out what only goes along with it', () => {
    expect(rows(polls, {}, [change(at(2), { action: 'user.created' })])).toHaveLength(1);
  });
});

it('has a lane for each of those who take part, in the same order always', () => {
  const exchanges = new Map([[1, liveExchange(1, { from: 'user' })]]);
  const snapshot = stagedSnapshot({ now: 0 });
  expect(lanesOf(EMPTY)).toEqual(['agent']);
  expect(lanesOf({ ...EMPTY, exchanges })).toEqual(['agent', 'service', 'user']);
  expect(lanesOf({ ...EMPTY, snapshot })).toEqual(['agent', 'provider', 'service']);
});
