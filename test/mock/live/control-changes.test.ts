import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../../src/mock/audit/audit.ts';
import { ControlChanges } from '../../../src/mock/live/control-changes.ts';

function setUp() {
  const trail: AuditRecord[] = [];
  const asked: (number | undefined)[] = [];
  const changes = new ControlChanges({
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
  const actions = async () => (await changes.read()).map(({ action }) => action);
  return { actions, add, asked, changes, trail };
}

describe('what controls did, which no exchange shows', () => {
  it('is told of controls alone, with the registration', async () => {
    const { add, changes } = setUp();
    add({ actor: 'agent', action: 'claim.started', registrationId: 'reg_1' });
    add({ actor: 'control', action: 'claim.denied', registrationId: 'reg_1' });
    expect(await changes.read()).toEqual([
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
