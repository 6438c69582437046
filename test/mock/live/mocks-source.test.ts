import { describe, expect, it } from 'vitest';
import type { Controls } from '../../../src/mock/controls/controls.ts';
import type { LivePart, LiveService } from '../../../src/mock/live/live-part.ts';
import { MocksSource } from '../../../src/mock/live/mocks-source.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';

interface Store {
  audit(...page: Parameters<Controls['audit']>): Promise<readonly object[]>;
  registrations(): Promise<readonly object[]>;
}

const EMPTY: Store = { audit: async () => [], registrations: async () => [] };

function setUp({ audit, registrations }: Store = EMPTY) {
  const source = new MocksSource();
  const state = { clockOffset: 0, faults: [], issuer: 'http://127.0.0.1:4800', now: 0 };
  const part: LivePart = {
    role: 'service',
    name: 'Example',
    controls: {
      state: async () => state,
      faults: () => [],
      audit,
    } as unknown as Controls,
    service: {
      dialect: 'flat',
      registrations: registrations as LiveService['registrations'],
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

it.each([0, 1, 2, 3, 4])(
  'lists a registration that is stored after %d reads with its history',
  async (before) => {
    let reads = 0;
    const stored = <Each>(what: Each): Each[] => {
      reads += 1;
      return reads > before ? [what] : [];
    };
    const entry = { actor: 'agent', action: 'registration.created', at: 0, seq: 1 };
    const { source } = setUp({
      audit: async ({ after = 0 } = {}) =>
        stored({ ...entry, registrationId: 'reg_1' }).filter(({ seq }) => seq > after),
      registrations: async () => stored({ id: 'reg_1' }),
    });
    let { registrations } = await source.snapshot();
    while (registrations.length === 0) ({ registrations } = await source.snapshot());
    const listed = [{ id: 'reg_1', history: [{ action: entry.action }] }];
    expect(registrations).toMatchObject(listed);
    expect((await source.snapshot()).registrations).toMatchObject(listed);
  },
);
