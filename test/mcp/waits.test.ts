import { afterEach, describe, expect, it } from 'vitest';
import { DIALECT_IDS, MINUTE } from '../../src/protocol/index.ts';
import { NetworkError } from '../../src/runtime/index.ts';
import { ALICE, Twin } from '../dialects/twin.ts';
import { BASE } from '../mock-service/harness.ts';
import { until } from '../support/until.ts';
import { Host } from './support/host.ts';
import { startTwin } from './support/start-twin.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(options: Parameters<typeof Host.start>[1] = {}) {
  const { twin, host } = await startTwin(options);
  const pending = await host.call('connect', { service: BASE, email: ALICE });
  return { twin, host, claim: pending.data.claim };
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const polls = (twin: Twin) =>
  twin.exchanges.filter(
    ({ request, sent }) =>
      request === 'POST /oauth2/token' && JSON.stringify(sent).includes('claim_token'),
  ).length;

describe.each(['legacy', 'modern'] as const)('a wait for the user, of a %s host', (era) => {
  it('ends when the user has typed the code, with progress until then', async () => {
    const { host, twin, claim } = await start({ era });
    const told: { progress: number; total?: number | undefined; message?: string | undefined }[] =
      [];
    twin.meanwhile(() => twin.typeCode(claim.verification_uri, claim.user_code));
    const ended = await host.call(
      'await_claim',
      { timeout_seconds: 60 },
      { onprogress: (progress) => told.push(progress) },
    );
    expect(ended.data).toMatchObject({ status: 'claimed', next: { tool: 'call' } });
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]).toMatchObject({
      total: 60,
      message: expect.stringContaining('Waiting for the user'),
    });
    const grown = told.map(({ progress }) => progress);
    expect(grown).toEqual([...new Set(grown)].toSorted((a, b) => a - b));
  });

  it('ends by itself, keeps the claim, and polls no more often than the service allows', async () => {
    const { host, twin, claim } = await start({ era });
    for (let n = 0; n < 4; n += 1) {
      const ended = await host.call('await_claim', { timeout_seconds: 2 });
      expect(ended).toMatchObject({
        isError: false,
        data: { status: 'pending', claim: { user_code: null }, next: { tool: 'await_claim' } },
      });
    }
    // Eight seconds at an interval of five: one poll.
    expect(polls(twin)).toBe(1);
    await twin.typeCode(claim.verification_uri, claim.user_code);
    expect((await host.call('await_claim')).data.status).toBe('claimed');
  });

  it('ends within the minute that hosts give a call, also where a poll is not answered', async () => {
    const twin = await Twin.start({});
    const { fetch, sleep } = twin.options;
    const asked = deferred();
    const answered = deferred();
    const limits: number[] = [];
    let isSilent = false;
    const agent = {
      ...twin.options,
      // The patience of a call that does not poll stands still.
      sleep: (ms: number, signal?: AbortSignal) =>
        ms < 30_000 ? sleep(ms, signal) : untilAborted(signal),
      fetch: async (...[url, init]: Parameters<typeof fetch>) => {
        if (isSilent && url.endsWith('/oauth2/token')) {
          asked.resolve();
          await answered.promise;
        }
        return fetch(url, init);
      },
    };
    const limit = async (ms: number, signal?: AbortSignal) => {
      limits.push(ms);
      await (isSilent ? asked.promise : untilAborted(signal));
      twin.harness.clock.advance(ms);
    };
    const host = await Host.start(agent, { era, limit });
    open.push(twin, host);
    const { claim } = (await host.call('connect', { service: BASE, email: ALICE })).data;
    const before = twin.harness.clock.now();
    expect((await host.call('await_claim')).data.status).toBe('pending');
    expect(twin.harness.clock.now() - before).toBeLessThan(MINUTE);
    isSilent = true;
    expect((await host.call('await_claim')).data).toMatchObject({
      status: 'pending',
      next: { tool: 'await_claim' },
    });
    expect(Math.max(...limits)).toBeLessThan(MINUTE);

    // The poll is not lost: its answer is what the next call has.
    const polled = polls(twin);
    await twin.typeCode(claim.verification_uri, claim.user_code);
    isSilent = false;
    const waiting = host.call('await_claim');
    answered.resolve();
    expect((await waiting).data.status).toBe('claimed');
    expect(polls(twin)).toBe(polled + 1);
  });

  it('says that the code has expired, and how to go on', async () => {
    const { host, twin } = await start({ era });
    twin.harness.clock.advance(10 * MINUTE);
    expect((await host.call('await_claim')).data).toMatchObject({
      error: { code: 'attempt_expired' },
      next: { tool: 'start_claim', arguments: { service: BASE } },
    });
    const again = await host.call('start_claim');
    expect(again.data).toMatchObject({ status: 'pending', resumed: false });
  });

  it('says that the user denied it, and asks again only on their word', async () => {
    const { host, twin } = await start({ era });
    const known = await twin.agent.resumeClaim();
    if (known.status !== 'open') throw new Error(known.status);
    await twin.deny(known.ceremony);
    const ended = await host.call('await_claim');
    expect(ended.data).toMatchObject({
      error: { code: 'access_denied', retryable: false },
      next: { tool: 'start_claim', arguments: { service: BASE }, needs: ['renew'] },
    });
    expect((await host.call('start_claim')).data.error.code).toBe('access_denied');
    expect((await host.call('start_claim', { renew: true })).data.status).toBe('pending');
  });

  it('says so to a call, too, which told of an expired code and led to another claim', async () => {
    const { host, twin } = await start({ era });
    const known = await twin.agent.resumeClaim();
    if (known.status !== 'open') throw new Error(known.status);
    await twin.deny(known.ceremony);
    await host.call('await_claim');
    const called = await host.call('call', { target: '/api/resource' });
    expect(called.data).toMatchObject({
      error: { code: 'access_denied', retryable: false },
      next: { tool: 'start_claim', needs: ['renew'] },
    });
    expect(called.text).toContain('Respect that.');
  });
});

describe('a wait whose polls nobody answers', () => {
  it('says so, where it said that the user had not acted', async () => {
    const twin = await Twin.start({});
    let isDown = false;
    const host = await Host.start({
      ...twin.options,
      fetch: (url, init) => {
        if (isDown) return Promise.reject(new NetworkError('refused', 'Nobody listens there.'));
        return twin.options.fetch(url, init);
      },
    });
    open.push(twin, host);
    await host.call('connect', { service: BASE, email: ALICE });
    expect((await host.call('await_claim')).text).toContain(
      'The service has not said yet that the user has acted',
    );
    isDown = true;
    const { data, text, isError } = await host.call('await_claim');
    expect(isError).toBe(false);
    expect(data).toMatchObject({ status: 'pending', next: { tool: 'await_claim' } });
    expect(data.unanswered_polls).toBeGreaterThan(1);
    expect(text).toContain(`The service did not answer the last ${data.unanswered_polls} polls`);
    expect(text).not.toContain('has not acted');
  });
});

/** The clock stands still until it is told to pass, and what limits a call until it is told that its time is over. */
async function standing() {
  const twin = await Twin.start({});
  let waiting = 0;
  let pass = () => {};
  const limits: (() => void)[] = [];
  const host = await Host.start(
    {
      ...twin.options,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          waiting += 1;
          pass = () => {
            twin.harness.clock.advance(ms);
            resolve();
          };
          const stop = () => {
            waiting -= 1;
            reject(signal?.reason);
          };
          signal?.addEventListener('abort', stop, { once: true });
        }),
    },
    {
      limit: (_ms, signal) => {
        const { promise, resolve } = deferred();
        limits.push(resolve);
        return Promise.race([promise, untilAborted(signal)]);
      },
    },
  );
  open.push(twin, host);
  const { data } = await host.call('connect', { service: BASE, email: ALICE });
  return { twin, host, claim: data.claim, waiting: () => waiting, pass: () => pass(), limits };
}

describe('a wait that is cancelled', () => {
  it('polls on to the end of its time: who calls again gets what it comes to', async () => {
    const { host, twin, claim, waiting, pass } = await standing();
    const cancel = new AbortController();
    const wait = host.call('await_claim', { timeout_seconds: 60 }, { signal: cancel.signal });
    wait.catch(() => {});
    await until(() => waiting() === 1);
    cancel.abort();
    await expect(wait).rejects.toThrow();
    await twin.typeCode(claim.verification_uri, claim.user_code);
    const again = host.call('await_claim', { timeout_seconds: 60 });
    pass();
    expect((await again).data.status).toBe('claimed');
    expect(polls(twin)).toBe(1);
  });

  it('lost the answer to a poll under way, which may be the only one with the token', async () => {
    const twin = await Twin.start({});
    const { fetch } = twin.options;
    let isSent = false;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const host = await Host.start({
      ...twin.options,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (!/grant_type=[^&]*claim/.test(String(init?.body))) return response;
        isSent = true;
        const { signal } = init ?? {};
        const cut = new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        await Promise.race([answered, cut]);
        return response;
      },
    });
    open.push(twin, host);
    const { claim } = (await host.call('connect', { service: BASE, email: ALICE })).data;
    await twin.typeCode(claim.verification_uri, claim.user_code);
    const cancel = new AbortController();
    const wait = host.call('await_claim', { timeout_seconds: 60 }, { signal: cancel.signal });
    wait.catch(() => {});
    await until(() => isSent);
    cancel.abort();
    await expect(wait).rejects.toThrow();
    // What the server is told comes in order: it has heard of it before it answers.
    await host.call('get_status');
    answer();
    expect((await host.call('await_claim')).data.status).toBe('claimed');
    // A service may refuse a second one: it has handed the token out.
    expect(polls(twin)).toBe(1);
    expect((await host.call('call', { target: '/api/resource' })).data.ok).toBe(true);
  });

  it('ends when the host goes', async () => {
    const { host, waiting } = await standing();
    const wait = host.call('await_claim', { timeout_seconds: 60 });
    wait.catch(() => {});
    await until(() => waiting() === 1);
    await host.close();
    await until(() => waiting() === 0);
    await expect(wait).rejects.toThrow();
  });
});

describe('two calls at once', () => {
  it('of the same wait poll as one, and both hear of its end', async () => {
    const twin = await Twin.start({});
    const { sleep } = twin.options;
    const host = await Host.start({
      ...twin.options,
      // The interval of a poll passes; the patience of the call that does not poll stands still.
      sleep: (ms, signal) => (ms < 30_000 ? sleep(ms, signal) : untilAborted(signal)),
    });
    open.push(twin, host);
    const { claim } = (await host.call('connect', { service: BASE, email: ALICE })).data;
    await twin.typeCode(claim.verification_uri, claim.user_code);
    const ended = await Promise.all([
      host.call('await_claim', { timeout_seconds: 60 }),
      host.call('await_claim', { timeout_seconds: 60 }),
    ]);
    expect(ended.map(({ data }) => data.status)).toEqual(['claimed', 'claimed']);
    expect(polls(twin)).toBe(1);
  });

  it('of the same wait both hear how it goes on, each until it is answered', async () => {
    const { host, limits, pass, waiting } = await standing();
    const told: unknown[] = [];
    const { transport } = host;
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if ('method' in message && message.method === 'notifications/progress') {
        told.push(message.params?.['progressToken']);
      }
      onmessage?.(message, extra);
    };
    const wait = () => host.call('await_claim', {}, { onprogress: () => {} });
    const first = wait();
    await until(() => waiting() === 1);
    const second = wait();
    await until(() => limits.length === 2);
    pass();
    await until(() => told.length === 3 && waiting() === 2);
    const [one, , other] = told;
    expect(told).toEqual([one, one, other]);
    expect(other).not.toBe(one);
    limits[0]?.();
    expect((await first).data.status).toBe('pending');
    pass();
    await until(() => told.length === 4);
    expect(told).toEqual([one, one, other, other]);
    limits[1]?.();
    expect((await second).data.status).toBe('pending');
  });

  it('of connect make one registration', async () => {
    const twin = await Twin.start({});
    const host = await Host.start(twin.options);
    open.push(twin, host);
    await host.call('connect', { service: BASE });
    const both = await Promise.all([
      host.call('connect', { service: BASE }),
      host.call('call', { target: '/api/resource' }),
      host.call('get_status'),
    ]);
    expect(both.map(({ isError }) => isError)).toEqual([false, false, false]);
    const { services } = await twin.options.store.read();
    expect(services.flatMap(({ registrations }) => registrations)).toHaveLength(1);
  });

  it.each(DIALECT_IDS)(
    'of two servers on one store see what the other did: %s',
    async (dialect) => {
      const twin = await Twin.start({ dialect });
      const hosts = [await Host.start(twin.options), await Host.start(twin.options)] as const;
      open.push(twin, ...hosts);
      const [one, two] = hosts;
      await one.call('connect', { service: BASE });
      expect((await two.call('call', { target: '/api/resource' })).data.ok).toBe(true);
      await two.call('leave');
      expect((await one.call('call', { target: '/api/resource' })).data.error.code).toBe(
        'not_registered',
      );
    },
  );
});
