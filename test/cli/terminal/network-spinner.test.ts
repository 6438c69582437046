import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { keepStill, spinWhileWaiting, startSpinner } from '../../../src/cli/terminal/spinner.ts';
import type { Fetch } from '../../../src/runtime/ports.ts';
import { readBody } from '../../../src/runtime/read-body.ts';
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

  /** Sends its head at once and then one space a second. */
  function trickling(seconds: number, then: 'close' | 'error' = 'close'): Fetch {
    return async () => {
      let left = seconds;
      const body = new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            await vi.advanceTimersByTimeAsync(1000);
            left -= 1;
            if (left >= 0) controller.enqueue(new TextEncoder().encode(' '));
            else if (then === 'close') controller.close();
            else controller.error(new Error('broke off'));
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { status: 201 });
    };
  }

  const isStill = async (stderr: { readonly raw: string }) => {
    const before = stderr.raw;
    await vi.advanceTimersByTimeAsync(5000);
    expect(stderr.raw).toBe(before);
  };

  it('leaves no blank terminal while a body trickles, and the line goes with its end', async () => {
    const { stderr, streams } = terminal();
    const response = await spinWhileWaiting(trickling(3), streams.stderr)(URL_THERE);
    expect([response.status, stderr.raw]).toEqual([201, '']);
    expect(await readBody(response, 100)).toEqual({ ok: true, text: '   ' });
    expect(stderr.text).toContain('Waiting for api.example.test');
    await isStill(stderr);
  });

  it('leaves no line behind when a body breaks off, is too large or is not read', async () => {
    const { stderr, streams } = terminal();
    const broken = spinWhileWaiting(trickling(2, 'error'), streams.stderr);
    await expect(readBody(await broken(URL_THERE), 100)).rejects.toThrow('broke off');
    await isStill(stderr);
    const large = spinWhileWaiting(trickling(9), streams.stderr);
    expect(await readBody(await large(URL_THERE), 2)).toMatchObject({ problem: 'too_large' });
    await vi.advanceTimersByTimeAsync(0);
    await isStill(stderr);
    const unread = await large(URL_THERE);
    await unread.body?.cancel();
    await isStill(stderr);
  });

  it('keeps what a real answer says of itself, and its other ways to be read', async () => {
    const { streams } = terminal();
    const answered = Response.redirect('https://elsewhere.example/', 307);
    const answer = new Response('{"a":1}', { headers: { 'x-a': 'b' } });
    Object.defineProperty(answer, 'url', { value: URL_THERE });
    const wrapped = spinWhileWaiting(async () => answer, streams.stderr);
    expect(await spinWhileWaiting(async () => answered, streams.stderr)(URL_THERE)).toBe(answered);
    const response = await wrapped(URL_THERE);
    expect([response.url, response.redirected, response.type]).toEqual([
      URL_THERE,
      false,
      'default',
    ]);
    const copy = response.clone();
    expect([await copy.json(), await readBody(response, 100)]).toEqual([
      { a: 1 },
      { ok: true, text: '{"a":1}' },
    ]);
    expect(response.bodyUsed).toBe(true);
  });

  it('does not move between the lines that call copies', async () => {
    const { stderr, streams } = terminal();
    const response = await spinWhileWaiting(trickling(3), streams.stderr)(URL_THERE);
    const release = keepStill(streams.stderr);
    await readBody(response, 100);
    release();
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
    ['a user at a terminal', ['discover', 'https://slow.example'], true, true],
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
