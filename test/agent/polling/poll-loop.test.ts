import { describe, expect, it } from 'vitest';
import { runPollLoop } from '../../../src/agent/polling/poll-loop.ts';
import { FakeClock, fakeSleep, MemoryLog, SeededRandom } from '../../../src/runtime/index.ts';

function context() {
  const clock = new FakeClock();
  return {
    clock,
    sleep: fakeSleep(clock),
    fetch: async () => new Response(),
    random: new SeededRandom(),
    log: new MemoryLog(),
  };
}

describe('a poll that fails', () => {
  const failing = (act: () => void, signal?: AbortSignal) =>
    runPollLoop(
      { context: context(), signal },
      {
        interval: 5000,
        remaining: () => 60_000,
        poll: async () => {
          act();
          throw new Error('the connection was torn down');
        },
      },
    );

  it('is an interruption, whatever it failed with, once somebody has interrupted it', async () => {
    const controller = new AbortController();
    const end = failing(() => controller.abort(), controller.signal);
    expect(await end).toEqual({ kind: 'aborted' });
  });

  it('is no interruption where nobody interrupted', async () => {
    const { signal } = new AbortController();
    await expect(failing(() => {}, signal)).rejects.toThrow('torn down');
  });
});
