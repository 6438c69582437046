import { describe, expect, it } from 'vitest';
import type { Controls } from '../../../src/mock/controls/controls.ts';
import type { LivePart } from '../../../src/mock/live/live-part.ts';
import { MocksSource } from '../../../src/mock/live/mocks-source.ts';
import { passiveSource } from '../../../src/mock/live/passive-source.ts';
import { FakeClock } from '../../../src/runtime/index.ts';

function setUp() {
  const clock = new FakeClock(Date.UTC(2026, 0));
  const source = new MocksSource(clock);
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
  return { clock, source, queries: () => queries };
}

describe('what the live view reads of the mocks', () => {
  it('is read once for a hundred who look, and at most twice a second', async () => {
    const { clock, queries, source } = setUp();
    const look = () => Promise.all(Array.from({ length: 100 }, () => source.snapshot()));
    await look();
    clock.advance(499);
    await look();
    expect(queries()).toBe(1);
    clock.advance(1);
    await look();
    expect(queries()).toBe(2);
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
