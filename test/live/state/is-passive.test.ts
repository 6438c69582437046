import { expect, it } from 'vitest';
import { isPassive } from '../../../src/live/state/is-passive.ts';
import { EMPTY } from '../../../src/live/state/view-state.ts';
import { stagedSnapshot } from '../staged-snapshot.ts';

it('takes what nobody here controls for passive, and nothing before it is known', () => {
  const snapshot = stagedSnapshot({ now: 0 });
  const parties = snapshot.parties.map((party) => ({ ...party, controls: [] }));
  const [service] = parties;
  const mixed = service === undefined ? [] : [service, ...snapshot.parties.slice(1)];
  expect(isPassive({ ...EMPTY, snapshot: { ...snapshot, parties } })).toBe(true);
  expect(isPassive({ ...EMPTY, snapshot: { ...snapshot, parties: mixed } })).toBe(false);
  expect(isPassive({ ...EMPTY, snapshot })).toBe(false);
  expect(isPassive(EMPTY)).toBe(false);
});
