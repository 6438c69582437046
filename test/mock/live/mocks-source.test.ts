import { describe, expect, it } from 'vitest';
import { ExchangeLog, type Recorded } from '../../../src/exchanges/index.ts';
import type { Controls } from '../../../src/mock/controls/controls.ts';
import type { LivePart } from '../../../src/mock/live/live-part.ts';
import { MocksSource } from '../../../src/mock/live/mocks-source.ts';
import { passiveSource } from '../../../src/mock/live/passive-source.ts';
import { FakeClock, type Sleep } from '../../../src/runtime/index.ts';

const UNREADABLE: Recorded = { to: 'service', length: 100, redact: () => undefined };

/** Time that goes on when the test says so. */
class HeldTime {
  readonly clock = new FakeClock(Date.UTC(2026, 0));
  readonly #waiting: { at: number; wake: () => void }[] = [];
  readonly sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#waiting.push({ at: this.clock.now() + ms, wake: resolve });
    });

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    const due = this.#waiting.filter(({ at }) => at <= this.clock.now());
    for (const each of due) this.#waiting.splice(this.#waiting.indexOf(each), 1);
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function setUp() {
  const time = new HeldTime();
  const exchanges = new ExchangeLog();
  const source = new MocksSource({ exchanges, clock: time.clock, sleep: time.sleep });
  let queries = 0;
  const state = { clockOffset: 0, faults: [], issuer: 'http://127.0.0.1:4800', now: 0 };
  const part: LivePart = {
    role: 'service',
    name: 'Example',
    controls: {
      state: async () => state,
      faults: () => [],
      audit: async () => [],
    } as unknown as Controls,
    service: {
      dialect: 'flat',
      registrations: async () => {
        queries += 1;
        return [];
      },
      mails: async () => [],
      decide: async () => 'claimed',
    },
  };
  source.join(part);
  return { exchanges, source, time, queries: () => queries };
}

describe('what the live view reads of the mocks', () => {
  it('is nothing while nobody looks', async () => {
    const { exchanges, queries, time } = setUp();
    for (let n = 0; n < 1_000; n += 1) exchanges.add(UNREADABLE);
    await time.pass(60_000);
    expect(queries()).toBe(0);
  });

  it('is read once for a hundred who look, and at most twice a second', async () => {
    const { exchanges, queries, source, time } = setUp();
    let told = 0;
    const leave = Array.from({ length: 100 }, () =>
      source.follow(() => {
        told += 1;
        void source.snapshot();
      }),
    );
    for (let n = 0; n < 1_000; n += 1) exchanges.add(UNREADABLE);
    await time.pass(0);
    expect([told, queries()]).toEqual([100, 1]);
    await time.pass(499);
    expect(queries()).toBe(1);
    await time.pass(1);
    expect([told, queries()]).toEqual([200, 2]);
    for (const end of leave) end();
    for (let n = 0; n < 1_000; n += 1) exchanges.add(UNREADABLE);
    await time.pass(60_000);
    expect([told, queries()]).toEqual([200, 2]);
  });

  it('is looked at again by itself: another process on the store may have changed it', async () => {
    const { source, time } = setUp();
    let told = 0;
    const leave = source.follow(() => {
      told += 1;
    });
    for (let n = 0; n < 5; n += 1) await time.pass(2_000);
    leave();
    expect(told).toBe(5);
  });

  it('is read anew after a button, and for a failed reading', async () => {
    const { queries, source } = setUp();
    await source.snapshot();
    await source.act('complete', { registration_id: 'reg_x' });
    await source.snapshot();
    expect(queries()).toBe(2);
  });

  it.each([
    ['rotate', { role: 'provider' }],
    ['clock', {}],
    ['faults', { role: 'service' }],
    ['complete', { registration_id: 7 }],
  ] as const)('refuses %s with %j, which a page made up', async (name, given) => {
    const { source } = setUp();
    await expect(source.act(name, given as never)).rejects.toThrow();
  });
});

describe('a passive source', () => {
  it('has parties without controls, and findings', async () => {
    const finding = {
      requirement: 'r',
      also: [],
      times: 1,
      level: 'must',
      by: 'agent',
      message: 'm',
      seq: 3,
    } as const;
    const source = passiveSource({
      title: 'api.example',
      parties: [{ role: 'service', name: 'api.example', issuer: 'https://api.example' }],
      clock: new FakeClock(Date.UTC(2026, 0)),
      findings: (seq) => (seq === 3 ? [finding] : []),
    });
    expect(await source.snapshot()).toMatchObject({ parties: [{ controls: [], dialect: null }] });
    expect([source.findings(2), source.findings(3)]).toEqual([[], [finding]]);
    await expect(source.act('reset', {})).rejects.toMatchObject({ code: 'conflict' });
  });
});
