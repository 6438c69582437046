import { describe, expect, it } from 'vitest';
import type { Controls } from '../../../src/mock/controls/controls.ts';
import type { LivePart } from '../../../src/mock/live/live-part.ts';
import { MocksSource } from '../../../src/mock/live/mocks-source.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';

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
    ['toString', {}],
  ])('refuses %s with %j, which a page made up', async (name, given) => {
    const { source } = setUp();
    await expect(source.act(name, given as JsonObject)).rejects.toThrow();
  });
});
