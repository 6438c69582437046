import { describe, expect, it } from 'vitest';
import type { Controls } from '../../../src/mock/controls/controls.ts';
import type { LivePart } from '../../../src/mock/live/live-part.ts';
import { MocksSource } from '../../../src/mock/live/mocks-source.ts';
import { passiveSource } from '../../../src/mock/live/passive-source.ts';
import { FakeClock } from '../../../src/runtime/index.ts';

function setUp() {
  const source = new MocksSource();
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
      registrations: async () => [],
      mails: async () => [],
      decide: async () => 'claimed',
    },
  };
  source.join(part);
  return { source };
}

describe('what the buttons of the live view do', () => {
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
