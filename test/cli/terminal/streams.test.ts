import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { startSpinner } from '../../../src/cli/terminal/spinner.ts';
import { createStreams } from '../../../src/cli/terminal/streams.ts';

/** A terminal that says it has no columns, as `pty.fork()` makes one. */
class Narrow extends PassThrough {
  readonly isTTY = true;
  columns = 0;
  erased = 0;

  cursorTo(): boolean {
    return true;
  }

  moveCursor(): boolean {
    return true;
  }

  clearLine(): boolean {
    this.erased += 1;
    // Where lines are counted by a width of 0, this never ends: the test must.
    if (this.erased > 1000) throw new Error('It erases lines for ever.');
    return true;
  }
}

function narrow() {
  const node = new Narrow();
  const stderr = node as unknown as NodeJS.WriteStream;
  const environment = readEnvironment({}, { platform: 'linux', inContainer: () => false });
  return { node, sink: createStreams({ ...process, stderr }, environment).stderr };
}

describe('a terminal of 0 columns', () => {
  it('counts as 80, also after it changed its size', () => {
    const { node, sink } = narrow();
    expect(sink.columns).toBe(80);
    node.columns = 0;
    node.emit('resize');
    expect([sink.columns, node.columns]).toEqual([80, 80]);
    node.columns = 60;
    node.emit('resize');
    expect(sink.columns).toBe(60);
  });

  it('is not drawn on for ever', async () => {
    const { node, sink } = narrow();
    const spinner = await startSpinner(sink, true, 'Waiting for alice@example.com');
    spinner.interrupt(() => sink.write('A note.\n'));
    spinner.stop();
    expect(node.erased).toBeLessThan(20);
  });
});
