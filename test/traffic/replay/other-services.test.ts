import { describe, expect, it } from 'vitest';
import { Agent, createMemoryStore } from '../../../src/agent/index.ts';
import type { FetchHandler } from '../../../src/mock/http/app.ts';
import { recordExchanges } from '../../../src/mock/traffic/record-exchanges.ts';
import { createMockService, type DialectId } from '../../../src/mock-service/index.ts';
import {
  type Clock,
  FakeClock,
  type Fetch,
  SeededRandom,
  silentLog,
} from '../../../src/runtime/index.ts';
import { ExchangeLog } from '../../../src/traffic/index.ts';
import { startExpressDefaults } from '../../conformance/services/express-defaults.ts';
import { replayOf, SERVICE, serviceTranscript } from './replay-of.ts';

const RESOURCE = '/api/resource';

const asFetch =
  (handler: FetchHandler): Fetch =>
  (url, { body, headers, method = 'GET' } = {}) =>
    handler(
      new Request(url, {
        method,
        redirect: 'manual',
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
      }),
    );

/** An answer that is there as a whole: the agent reads no further than it has to. */
const whole: FetchHandler = async (request) => {
  const answer = await globalThis.fetch(request);
  return new Response(await answer.text(), { status: answer.status, headers: answer.headers });
};

/** Registers, calls, and asks for a second registration that a user would have to confirm. */
async function run(base: string, fetch: Fetch, clock: Clock): Promise<void> {
  const newAgent = () =>
    new Agent({
      fetch,
      clock,
      sleep: async () => {},
      random: new SeededRandom(5),
      log: silentLog,
      store: createMemoryStore(),
    });
  const agent = newAgent();
  expect(await agent.register({ service: base + RESOURCE, type: 'anonymous' })).toMatchObject({
    status: 'registered',
  });
  const called = await agent.call(base + RESOURCE);
  expect(called.status).toBe(200);
  const waiting = await newAgent().register({
    service: base + RESOURCE,
    type: 'service_auth',
    loginHint: 'alice@example.com',
  });
  expect(waiting.status).toBe('claim_pending');
}

function recorded(handler: FetchHandler, clock: Clock) {
  const log = new ExchangeLog();
  const options = { to: 'service' as const, log, clock, machineClock: clock };
  return {
    log,
    fetch: asFetch(recordExchanges(handler, { ...options, report: silentLog })),
  };
}

async function expectRoundTrip(file: string): Promise<void> {
  const replay = await replayOf(file);
  await run(SERVICE, replay.fetch, replay.clock);
  expect(serviceTranscript(replay.log.read().exchanges)).toBe(file);
}

describe('a replay', () => {
  it.each<DialectId>(['flat', 'nested', 'first'])(
    'comes to the same transcript in %s',
    async (dialect) => {
      const clock = new FakeClock();
      const baseUrl = 'http://127.0.0.1:6123';
      const service = await createMockService({
        baseUrl,
        dialect,
        clock,
        random: new SeededRandom(8),
        fetch: () => Promise.reject(new Error('no network here')),
        log: silentLog,
      });
      const { fetch, log } = recorded(service.fetch, clock);
      await run(baseUrl, fetch, clock);
      await expectRoundTrip(serviceTranscript(log.read().exchanges));
    },
  );

  it('comes to the same transcript as a service that is not ours', async () => {
    const clock = new FakeClock();
    const service = await startExpressDefaults({ now: () => clock.now() });
    const { fetch, log } = recorded(whole, clock);
    try {
      await run(service.url, fetch, clock);
    } finally {
      await service.close();
    }
    await expectRoundTrip(serviceTranscript(log.read().exchanges));
  });
});
