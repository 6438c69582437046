import { describe, expect, it, onTestFinished } from 'vitest';
import { type Sleep, silentLog } from '../../../src/runtime/index.ts';
import { createMockProvider } from '../../../src/testing/mock-provider.ts';
import { createMockService, serve } from '../../../src/testing/mock-service.ts';

/** A wait that nothing but its signal ends, and that says when it begins and ends. */
function endless() {
  let begin = (_ms: number) => {};
  let end = () => {};
  const begun = new Promise<number>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const delay: Sleep = async (ms, signal) => {
    begin(ms);
    signal?.addEventListener('abort', end);
    await ended;
  };
  return { begun, delay, ended };
}

describe.each([
  ['service', createMockService],
  ['provider', createMockProvider],
])('a slow token endpoint of the %s', (_name, create) => {
  async function slow() {
    const { begun, delay, ended } = endless();
    const mock = await create({ faults: ['slowTokenEndpoint'], delay });
    const build = async () => mock.fetch;
    const served = await serve({ host: '127.0.0.1', port: 0, log: silentLog, build });
    onTestFinished(async () => {
      await mock.close();
      await served.close();
    });
    const leave = new AbortController();
    const url = `${served.origin}/oauth2/token`;
    const { host } = new URL(mock.issuer);
    const init = { method: 'POST', headers: { host }, body: new URLSearchParams({ a: 'b' }) };
    const asked = fetch(url, { ...init, signal: leave.signal });
    asked.catch(() => {});
    return { asked, begun, ended, leave, mock };
  }

  it('waits no longer for a client that is gone', async () => {
    const { begun, ended, leave } = await slow();
    expect(await begun).toBe(10_000);
    leave.abort();
    await ended;
  });

  it('answers what waits when the mock closes', async () => {
    const { asked, begun, mock } = await slow();
    await begun;
    await mock.close();
    expect((await asked).status).toBe(400);
  });
});
