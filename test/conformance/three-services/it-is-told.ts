import { expect, it } from 'vitest';
import type { MistakeId } from '../services/ten-mistakes/mistakes.ts';
import { startTenMistakes } from '../services/ten-mistakes.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunning } from '../support/judge-running.ts';
import { ids, SAID } from './said.ts';

/** Judges the service with each mistake alone, by every scenario. */
export function itIsTold(mistakes: readonly { readonly id: MistakeId }[]): void {
  it.each(mistakes)('is told of $id', async ({ id }) => {
    const results = await judgeRunning((options) =>
      startTenMistakes({ ...options, mistakes: [id] }),
    );
    expect(ids(withStatus(results, ['fail']))).toEqual(SAID[id]);
  });
}
