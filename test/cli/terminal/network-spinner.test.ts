import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnvironment } from '../../../src/cli/environment.ts';
import { spinWhileWaiting } from '../../../src/cli/terminal/network-spinner.ts';
import { startSpinner } from '../../../src/cli/terminal/spinner.ts';
import type { Fetch } from '../../../src/runtime/ports.ts';
import { memoryStreams } from '../support/memory-streams.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

// What it loads must not take time here.
await import('ora');

const URL_THERE = 'https://api.example.test/agent/identity?code=secret';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function terminal() {
  const environment = readEnvironment({}, { platform: 'linux', inContainer: () => false });
  return memoryStreams(true, environment);
}

/** Answers, or fails, after so many milliseconds. */
function answering(ms: number, answer: () => Response): Fetch {
  return async () => {
    await vi.advanceTimersByTimeAsync(ms);
    return answer();
  };
}

const ok = () => new Response('done');

describe('a step on the network', () => {
  it('is told of when it takes longer than 300 ms, and the line goes with its end', async () => {
    const { stderr, streams } = terminal();
    await spinWhileWaiting(answering(1000, ok), streams.stderr)(URL_THERE);
    expect(stderr.text).toContain('Waiting for api.example.test');
    expect(stderr.text).not.toContain('secret');
    const before = stderr.raw;
    await vi.advanceTimersByTimeAsync(5000);
    expect(stderr.raw).toBe(before);
  });

  it('is not told of when it is done sooner', async () => {
    const { stderr, streams } = terminal();
    await spinWhileWaiting(answering(299, ok), streams.stderr)(URL_THERE);
    await vi.advanceTimersByTimeAsync(5000);
    expect(stderr.raw).toBe('');
  });

  it('leaves no line behind when it fails', async () => {
    const { stderr, streams } = terminal();
    const failing = answering(1000, () => {
      throw new Error('lost');
    });
    await expect(spinWhileWaiting(failing, streams.stderr)(URL_THERE)).rejects.toThrow('lost');
    const before = stderr.raw;
    await vi.advanceTimersByTimeAsync(5000);
    expect(stderr.raw).toBe(before);
  });

  it('does not draw over a screen that has a line of its own', async () => {
    const { stderr, streams } = terminal();
    const screen = await startSpinner(streams.stderr, true, 'Waiting for alice');
    const polled = spinWhileWaiting(answering(1000, ok), streams.stderr);
    await polled(URL_THERE);
    expect(stderr.text).not.toContain('api.example.test');
    screen.stop();
    await polled(URL_THERE);
    expect(stderr.text).toContain('Waiting for api.example.test');
  });

  it.each([
    ['a person at a terminal', ['discover', 'https://slow.example'], true, true],
    ['a program', ['discover', 'https://slow.example', '--json'], true, false],
    ['--quiet', ['discover', 'https://slow.example', '--quiet'], true, false],
    ['a pipe', ['discover', 'https://slow.example'], false, false],
  ])('is shown to %s or not', async (_who, line, tty, shown) => {
    const machine = newMachine();
    machine.servers.set('https://slow.example', async () => {
      await vi.advanceTimersByTimeAsync(400);
      return new Response('nothing here', { status: 404 });
    });
    const { stderr } = await runCli(machine, line, { tty });
    expect(stderr.includes('Waiting for slow.example')).toBe(shown);
  });
});
