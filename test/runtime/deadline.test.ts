import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agent, createMemoryStore } from '../../src/agent/index.ts';
import { runCommand } from '../../src/cli/conformance/spawn-command.ts';
import {
  readBody,
  silentLog,
  systemClock,
  systemRandom,
  systemSleep,
} from '../../src/runtime/index.ts';
import { startDeadline } from '../../src/runtime/system-deadline.ts';
import { createSystemFetch } from '../../src/runtime/system-fetch.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Takes away, again and again, whatever nobody holds. */
let collecting: NodeJS.Timeout;
/** Answers at once, and goes on with one space a second without end. */
let server: Server;
let url: string;
let closed = 0;
beforeEach(async () => {
  // A few times within each limit. Each takes the processors, and long where many files share the memory.
  collecting = setInterval(collectGarbage, 300);
  closed = 0;
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(' ');
    const drip = setInterval(() => response.write(' '), 1000);
    response.on('close', () => {
      closed += 1;
      clearInterval(drip);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  clearInterval(collecting);
  server.closeAllConnections();
  server.close();
});

const direct = { proxyFor: () => undefined };
/** A limit within which an answer surely begins, however long the collections take. Milliseconds. */
const ANSWERED = 4000;
/** Far more than the limits here, and far less than the time limit of a test. */
const SOON = { timeout: 20_000 };

describe('a time limit that outlives garbage collections', SOON, () => {
  it('ends an answer of one space a second', async () => {
    const answer = createSystemFetch({ ...direct, timeout: 1500 })(url);
    const reading = answer.then((response) => readBody(response, 1024));
    await expect(reading).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends it also under the signal of a caller that is never aborted', async () => {
    const { signal } = new AbortController();
    const answer = createSystemFetch({ ...direct, timeout: 1500 })(url, { signal });
    const reading = answer.then((response) => readBody(response, 1024));
    await expect(reading).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends the connection of an answer that nobody reads', async () => {
    const { status } = await createSystemFetch({ ...direct, timeout: ANSWERED })(url);
    expect(status).toBe(200);
    await expect.poll(() => closed, SOON).toBe(1);
  });

  it('ends discover at a service that sends one space a second', async () => {
    const agent = new Agent({
      fetch: createSystemFetch({ ...direct, timeout: ANSWERED }),
      clock: systemClock,
      sleep: systemSleep,
      random: systemRandom,
      log: silentLog,
      store: createMemoryStore(),
    });
    await expect(agent.discover({ address: url })).rejects.toMatchObject({
      code: 'broken_off',
      message: expect.stringContaining('did not end within the time limit'),
    });
  });

  it('ends a command that does not end', async () => {
    const { signal } = new AbortController();
    const stuck = [process.execPath, '-e', 'setInterval(() => {}, 1000)'] as const;
    await expect(
      runCommand(stuck, { input: {}, env: {}, timeout: 1000, signal, flag: '--mint' }),
    ).rejects.toThrow('it took too long');
  });
});

describe('the signal of a caller', SOON, () => {
  it('ends an answer of one space a second after garbage collections', async () => {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, new AbortController().signal]);
    const response = await createSystemFetch(direct)(url, { signal });
    setTimeout(() => stop.abort(new Error('stopped')), 1500);
    await expect(readBody(response, 1024)).rejects.toThrow('stopped');
  });

  it('ends what the agent reads, also where the fetch forgets it once the answer has begun', async () => {
    const stop = new AbortController();
    const agent = new Agent({
      fetch: (url) => createSystemFetch(direct)(url),
      clock: systemClock,
      sleep: systemSleep,
      random: systemRandom,
      log: silentLog,
      store: createMemoryStore(),
    });
    setTimeout(() => stop.abort(), 1000);
    await expect(agent.discover({ address: url }, { signal: stop.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

describe('a deadline', () => {
  it('says that the time is over', async () => {
    const { signal } = startDeadline(1);
    await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ name: 'NetworkError', code: 'timeout' });
  });

  it('is over no sooner than it was set to, however long that is', async () => {
    const { signal, end } = startDeadline(2 ** 32);
    await systemSleep(20);
    expect(signal.aborted).toBe(false);
    end();
  });

  it('passes the reason of its caller on, and lets go of the caller at its end', () => {
    const already = AbortSignal.abort('before');
    expect(startDeadline(60_000, already).signal.reason).toBe('before');
    const stop = new AbortController();
    const ended = startDeadline(60_000, stop.signal);
    const running = startDeadline(60_000, stop.signal);
    ended.end();
    stop.abort('now');
    expect(running.signal.reason).toBe('now');
    expect(ended.signal.aborted).toBe(false);
  });
});
