import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../../src/mock/audit/audit.ts';
import { AuditTail } from '../../../src/mock/live/mocks-source.ts';

function setUp() {
  const trail: AuditRecord[] = [];
  const asked: (number | undefined)[] = [];
  const tail = new AuditTail({
    role: 'service',
    controls: {
      audit: async ({ after = 0 } = {}) => {
        asked.push(after);
        return trail.filter(({ seq }) => seq > after);
      },
    },
  });
  const add = (more: Pick<AuditRecord, 'actor' | 'action'> & Partial<AuditRecord>) =>
    trail.push({ owner: 'service', seq: trail.length + 1, at: trail.length * 1_000, ...more });
  const changes = async () => {
    await tail.readOn();
    return tail.changes;
  };
  const actions = async () => (await changes()).map(({ action }) => action);
  return { actions, add, asked, changes, tail };
}

describe('what controls did, which no exchange shows', () => {
  it('is told of controls alone, with the registration', async () => {
    const { add, changes } = setUp();
    add({ actor: 'agent', action: 'claim.started', registrationId: 'reg_1' });
    add({ actor: 'control', action: 'claim.denied', registrationId: 'reg_1' });
    expect(await changes()).toEqual([
      {
        seq: 2,
        at: '1970-01-01T00:00:01.000Z',
        role: 'service',
        action: 'claim.denied',
        registration_id: 'reg_1',
        detail: {},
      },
    ]);
  });

  it('is read on from where it was', async () => {
    const { actions, add, asked } = setUp();
    add({ actor: 'control', action: 'clock.moved' });
    await actions();
    add({ actor: 'control', action: 'faults.set' });
    expect(await actions()).toEqual(['clock.moved', 'faults.set']);
    expect(asked).toEqual([0, 1, 1, 2]);
  });

  it('is over with a reset', async () => {
    const { actions, add } = setUp();
    add({ actor: 'control', action: 'clock.moved' });
    await actions();
    add({ actor: 'control', action: 'reset' });
    add({ actor: 'control', action: 'faults.set' });
    expect(await actions()).toEqual(['reset', 'faults.set']);
  });
});

it('takes once what is read twice at once', async () => {
  const { add, tail } = setUp();
  add({ actor: 'control', action: 'claim.denied', registrationId: 'reg_1' });
  await Promise.all([tail.readOn(), tail.readOn()]);
  expect(tail.changes).toHaveLength(1);
  expect(tail.historyOf('reg_1')).toHaveLength(1);
});

it('keeps the histories of the registrations that are listed, each to its last entries', async () => {
  const { add, tail } = setUp();
  for (let n = 0; n < 60; n += 1) {
    add({ actor: 'agent', action: 'token.issued', registrationId: 'reg_1' });
  }
  add({ actor: 'agent', action: 'registration.created', registrationId: 'reg_2' });
  await tail.readOn();
  expect(tail.historyOf('reg_1')).toHaveLength(50);
  tail.keep(['reg_2']);
  expect(tail.historyOf('reg_1')).toEqual([]);
  expect(tail.historyOf('reg_2')).toEqual([
    { at: '1970-01-01T00:01:00.000Z', actor: 'agent', action: 'registration.created' },
  ]);
});
