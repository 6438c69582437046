import { expect, it } from 'vitest';
import type { MistakeId } from '../services/ten-mistakes/mistakes.ts';
import { startTenMistakes } from '../services/ten-mistakes.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunning } from '../support/judge-running.ts';
import { BESIDE_ANY_ACCOUNT, FAILING, ids } from './failing.ts';

/** Judges the service with each mistake alone, by every scenario. */
export function itFails(mistakes: readonly { readonly id: MistakeId }[]): void {
  it.each(mistakes)('fails the checks of $id', async ({ id }) => {
    const results = await judgeRunning((options) =>
      startTenMistakes({ ...options, mistakes: [id] }),
    );
    const expected = [...FAILING[id], ...(id === 'any-account' ? BESIDE_ANY_ACCOUNT : [])];
    expect(ids(withStatus(results, ['fail']))).toEqual(expected.toSorted());
  });
}
