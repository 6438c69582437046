import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { startSpinner } from '../../../src/cli/terminal/spinner.ts';
import { createStreams } from '../../../src/cli/terminal/streams.ts';

// What it loads must not take time here.
await import('ora');

const SECOND = 1000;

/** A terminal that keeps what is drawn on it, with the time. */
class Drawn extends PassThrough {
  readonly isTTY = true;
  columns: number;
  readonly writes: { readonly at: number; readonly text: string }[] = [];

  constructor(columns: number) {
    super();
    this.columns = columns;
    this.on('data', (chunk: Buffer) => {
      this.writes.push({ at: performance.now(), text: chunk.toString('utf8') });
    });
  }

  cursorTo(): boolean {
    return this.write('\r');
  }

  moveCursor(): boolean {
    return this.write('\u001b[1A');
  }

  clearLine(): boolean {
    return this.write('\u001b[0K');
  }

  count(text: string): number {
    return this.writes.filter((each) => each.text.includes(text)).length;
  }

  get bytes(): number {
    return this.writes.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  }
}

function terminal(columns: number) {
  const node = new Drawn(columns);
  const stderr = node as unknown as NodeJS.WriteStream;
  const environment = readEnvironment({}, { platform: 'linux', inContainer: () => false });
  return { node, sink: createStreams({ ...process, stderr }, environment).stderr };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a line that moves', () => {
  it('is drawn at most ten times a second, however much is written above it', async () => {
    const { node, sink } = terminal(80);
    const spinner = await startSpinner(sink, true, 'Waiting');
    for (let round = 0; round < 1000; round += 1) {
      spinner.update(`Waiting ${round}`);
      spinner.interrupt(() => sink.write('A note.\n'));
      sink.write('Written by others.\n');
      vi.advanceTimersByTime(10);
    }
    expect(node.count('A note.')).toBe(1000);
    expect(node.count('Waiting')).toBeLessThanOrEqual(100);
    expect(node.count('Waiting')).toBeGreaterThan(50);
    spinner.stop();
  });

  it('ends on the last text, also when that came too soon to be drawn at once', async () => {
    const { node, sink } = terminal(80);
    const spinner = await startSpinner(sink, true, 'Waiting');
    for (let text = 0; text < 50; text += 1) {
      spinner.interrupt(() => spinner.update(`text ${text}`));
    }
    vi.advanceTimersByTime(SECOND);
    expect(node.count('text 48')).toBe(0);
    expect(node.count('text 49')).toBeGreaterThan(0);
    spinner.stop();
  });

  it('does not flood a terminal of 0 columns: a program reads it', async () => {
    const { node, sink } = terminal(0);
    const spinner = await startSpinner(sink, true, 'Waiting for alice@example.com, 9 minutes left');
    vi.advanceTimersByTime(60 * SECOND);
    spinner.stop();
    expect(node.count('Waiting')).toBeGreaterThan(10);
    expect(node.bytes).toBeLessThan(4096);
  });
});
