import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showProgress } from '../../../src/cli/conformance/show-progress.ts';
import type { Context } from '../../../src/cli/shell/context.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What of a context the progress of a run uses, without a terminal. */
function piped(said: string[]): Context {
  const context = {
    output: { interactive: false, say: (line: string) => said.push(line) },
    world: { clock: { now: () => Date.now() }, streams: { stderr: { columns: 80 } } },
  };
  return context as unknown as Context;
}

it('says now and then which scenario takes long, and for how long, until the end', async () => {
  const said: string[] = [];
  const progress = await showProgress(piped(said), 'https://s.example');
  progress.onProgress({ done: 0, total: 2, title: 'A claim expires' });
  await vi.advanceTimersByTimeAsync(9_000);
  expect(said).toEqual(['Judging https://s.example against 2 scenarios …']);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(said.slice(1)).toEqual([
    '[1/2] A claim expires (for 10 s)',
    '[1/2] A claim expires (for 20 s)',
  ]);
  progress.onProgress({ done: 2, total: 2 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toHaveLength(3);
  progress.stop();
  expect(vi.getTimerCount()).toBe(0);
});
