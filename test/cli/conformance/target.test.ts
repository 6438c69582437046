import { describe, expect, it } from 'vitest';
import type { TargetOptions } from '../../../src/cli/conformance/options.ts';
import { checkMock, settingsOf } from '../../../src/cli/conformance/target.ts';
import type { Context } from '../../../src/cli/shell/context.ts';
import { FakeClock, SeededRandom } from '../../../src/runtime/index.ts';

const TIMES = { timeout: 1000, patience: 0 };

/** A wait that ends by its signal alone. */
function waiting() {
  const interrupt = new AbortController();
  const world = {
    clock: new FakeClock(),
    random: new SeededRandom(),
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  } as unknown as Context['world'];
  return { interrupt, sleep: settingsOf({ interrupt, world }, TIMES).sleep };
}

describe('the wait of a judged service or provider', () => {
  it('ends by the signal that it was given', async () => {
    const { sleep } = waiting();
    const own = new AbortController();
    const wait = sleep(60_000, own.signal);
    own.abort(new Error('no longer'));
    await expect(wait).rejects.toThrow('no longer');
  });

  it.each(['with', 'without'])('ends by Ctrl-C, %s a signal of its own', async (how) => {
    const { interrupt, sleep } = waiting();
    const wait = sleep(60_000, how === 'with' ? new AbortController().signal : undefined);
    interrupt.abort(new Error('Ctrl-C'));
    await expect(wait).rejects.toThrow('Ctrl-C');
  });
});

describe('--mock', () => {
  const options: TargetOptions = { ...TIMES, user: 'form', mock: true };
  const check = (more: object, url?: string) => () =>
    checkMock({ ...options, ...more }, url, ['control', 'email']);

  it('refuses a URL, and each option that says how to reach a target', () => {
    expect(check({}, 'http://127.0.0.1:1')).toThrow('leave the URL out');
    expect(check({ control: 'http://127.0.0.1:1' })).toThrow('leave --control out');
    expect(check({ email: ['a@example.com'] })).toThrow('leave --email out');
  });

  it('goes with --no-control, and a target with everything', () => {
    expect(check({ control: false })).not.toThrow();
    // What commander sets where --no-control was not typed.
    expect(check({ control: true })).not.toThrow();
    expect(check({ mock: undefined, email: ['x'] }, 'http://127.0.0.1:1')).not.toThrow();
  });
});
