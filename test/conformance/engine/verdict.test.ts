import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import type { CheckResult } from '../../../src/conformance/index.ts';
import { checkResult } from '../support/check-result.ts';

const CORE = [
  { story: 'a claim', checks: ['claim.opened', 'claim.done'] },
  { story: 'a call', checks: ['call.works'], required: true },
] as const;

const CALLED = checkResult('call.works', 'pass');

function verdict(...checks: readonly CheckResult[]) {
  const scenarios = [{ id: 'a', title: 'a', duration: 0, checks, exchanges: [] }];
  return verdictOf({ scenarios, core: CORE, selectedOnly: false, interrupted: false });
}

describe('the verdict of a run', () => {
  it('conforms where the core was judged and nothing failed', () => {
    expect(verdict(CALLED, checkResult('x.y', 'warn'), checkResult('x.z', 'untestable'))).toEqual({
      outcome: 'conforms',
      known: 0,
      fixed: [],
      unjudged: [],
      selectedOnly: false,
      interrupted: false,
    });
  });

  it('is inconclusive where a story could not be judged, and says which, why, and what has it judged', () => {
    const { outcome, unjudged } = verdict(
      CALLED,
      checkResult('claim.opened', 'pass'),
      checkResult('claim.done', 'skip', { reason: 'One user only.', needs: '--email' }),
    );
    expect(outcome).toBe('inconclusive');
    expect(unjudged).toEqual([{ story: 'a claim', why: 'One user only.', option: '--email' }]);
    expect(verdict(CALLED, checkResult('claim.done', 'untestable')).outcome).toBe('inconclusive');
  });

  it('takes what is not offered as no gap, but for what everybody has to have', () => {
    expect(verdict(CALLED, checkResult('claim.done', 'skip')).outcome).toBe('conforms');
    expect(verdict(checkResult('call.works', 'skip')).unjudged).toEqual([
      { story: 'a call', why: 'call.works was left.' },
    ]);
  });

  it('leaves out what was not selected', () => {
    expect(verdict().outcome).toBe('conforms');
    expect(verdict(checkResult('call.works', 'skip', { deselected: true })).outcome).toBe(
      'conforms',
    );
  });

  it('is inconclusive where nothing that was selected could be judged', () => {
    const { outcome, unjudged } = verdict(checkResult('x.y', 'untestable', { reason: 'No file.' }));
    expect([outcome, unjudged]).toEqual([
      'inconclusive',
      [{ story: 'anything at all', why: 'No file.' }],
    ]);
  });

  it('is inconclusive where the run was interrupted', () => {
    const scenarios = [{ id: 'a', title: 'a', duration: 0, checks: [CALLED], exchanges: [] }];
    const cut = verdictOf({ scenarios, core: CORE, selectedOnly: false, interrupted: true });
    expect(cut).toMatchObject({
      outcome: 'inconclusive',
      unjudged: [{ story: 'the rest of the run', why: 'It was interrupted.' }],
    });
  });

  it('does not conform where something fails, whatever was not judged', () => {
    expect(verdict(checkResult('x.y', 'fail'), checkResult('call.works', 'skip')).outcome).toBe(
      'does_not_conform',
    );
  });

  it('takes what rests on a known failure as known', () => {
    const failed = checkResult('x.y', 'fail', { known: 'we know' });
    const resting = checkResult('call.works', 'skip', { restsOn: 'x.y' });
    expect(verdict(failed, resting)).toMatchObject({ outcome: 'conforms_but', known: 1 });
  });

  it('is inconclusive where the core rests on what did not fail: a warning, or what could not be judged', () => {
    const resting = checkResult('claim.done', 'skip', { restsOn: 'x.y' });
    expect(verdict(CALLED, checkResult('x.y', 'warn'), resting).unjudged).toEqual([
      { story: 'a claim', why: 'claim.done was left.' },
    ]);
    expect(verdict(CALLED, checkResult('x.y', 'untestable'), resting).unjudged).toEqual([
      { story: 'a claim', why: 'x.y was left.' },
    ]);
    const between = checkResult('x.y', 'skip', { restsOn: 'x.z' });
    expect(verdict(CALLED, between, checkResult('x.z', 'untestable'), resting).outcome).toBe(
      'inconclusive',
    );
    // A check that rests on one that was not selected says that itself.
    expect(verdict(CALLED, resting).outcome).toBe('inconclusive');
  });

  it('does not take a story as judged because the baseline lists it', () => {
    const listed = { known: 'no second user here' };
    expect(verdict(CALLED, checkResult('claim.done', 'untestable', listed)).unjudged).toEqual([
      { story: 'a claim', why: 'claim.done was left.' },
    ]);
    expect(verdict(checkResult('call.works', 'skip', listed)).outcome).toBe('inconclusive');
    expect(verdict(checkResult('x.y', 'untestable', listed)).outcome).toBe('inconclusive');
  });

  it('does not conform where the target died', () => {
    const scenarios = [
      { id: 'a', title: 'a', duration: 0, checks: [CALLED], exchanges: [], died: 'It is gone.' },
    ];
    expect(
      verdictOf({ scenarios, core: CORE, selectedOnly: false, interrupted: false }),
    ).toMatchObject({ outcome: 'does_not_conform', died: 'It is gone.' });
  });
});
