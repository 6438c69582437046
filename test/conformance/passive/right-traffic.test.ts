import { describe, expect, it } from 'vitest';
import { Agent, createMemoryStore } from '../../../src/agent/index.ts';
import { HOUR } from '../../../src/protocol/index.ts';
import {
  fakeSleep,
  processFingerprint,
  SeededRandom,
  silentLog,
} from '../../../src/runtime/index.ts';
import { type Exchange, Redactor } from '../../../src/traffic/index.ts';
import { RAW_FLOWS } from '../../contract/flows.ts';
import { readGolden } from '../../contract/golden.ts';
import type { Exchange as GoldenExchange } from '../../contract/recorder.ts';
import { nameOf } from '../../dialects/recorded-flows.ts';
import { bothMocks, type Flows, runAllFlows } from '../../mock/traffic/all-flows.ts';
import { judged, told } from './judge-exchanges.ts';

// The flows in all dialects and quirks are judged where they run: test/dialects, and through the proxy in test/proxy.

function agentOn({ clock, fetch }: Flows, seed: number, meanwhile?: () => Promise<unknown>): Agent {
  return new Agent({
    clock,
    fetch,
    sleep: fakeSleep(clock, async () => void (await meanwhile?.())),
    random: new SeededRandom(seed),
    log: silentLog,
    store: createMemoryStore(),
  });
}

describe('nothing is found', () => {
  it('in all flows of the specification', async () => {
    const { log } = await runAllFlows();
    const { exchanges } = log.read();
    expect(exchanges.length).toBeGreaterThan(60);
    expect(told(exchanges)).toEqual([]);
  });

  it('when two agents wait for their users at once', async () => {
    const flows = await bothMocks();
    const { controls, issuer } = flows.service;
    const agents = [agentOn(flows, 1), agentOn(flows, 2)];
    for (const [n, agent] of agents.entries()) {
      await agent.register({ service: issuer, type: 'service_auth', loginHint: `u${n}@a.example` });
    }
    let waits = 0;
    const waiting = agents.map((agent) => agent.waitForClaim());
    // Both sleep on one clock: each moves it on for the other one, too.
    const open = await controls.registrations(2);
    for (const { facts } of open) {
      waits += 1;
      await controls.complete(facts.id);
    }
    expect(waits).toBe(2);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([
      'claimed',
      'claimed',
    ]);
    expect(told(flows.log.read().exchanges)).toEqual([]);
  });

  it('when the clock of the service jumps, ahead and back, while an agent polls', async () => {
    const flows = await bothMocks();
    const { controls, issuer } = flows.service;
    let polls = 0;
    const agent = agentOn(flows, 3, async () => {
      polls += 1;
      if (polls === 2) await controls.moveClock({ advance: 90_000 });
      if (polls === 4) await controls.moveClock({ offset: 0 });
      if (polls === 7) await controls.moveClock({ offset: -3_000 });
      const [one] = await controls.registrations(1);
      if (polls === 10 && one !== undefined) await controls.complete(one.facts.id);
    });
    await agent.register({ service: issuer, type: 'service_auth', loginHint: 'u@a.example' });
    expect((await agent.waitForClaim()).status).toBe('claimed');
    expect(polls).toBe(10);
    expect(told(flows.log.read().exchanges)).toEqual([]);
  });

  it('when an agent meets the end of its access, again and again', async () => {
    const flows = await bothMocks();
    const { controls, issuer } = flows.service;
    const agent = agentOn(flows, 4);
    await agent.register({ service: issuer, type: 'anonymous' });
    flows.clock.advance(2 * HOUR);
    for (let calls = 0; calls < 3; calls += 1) await agent.call('/api/resource');
    const [one] = await controls.registrations(1);
    await controls.revoke(one?.facts.id ?? '');
    for (let calls = 0; calls < 5; calls += 1) {
      flows.clock.advance(60_000);
      await agent.call('/api/resource').catch(() => {});
    }
    expect(told(flows.log.read().exchanges)).toEqual([]);
  });
});

it('nothing is found when a user asks again and again about a claim that is over', async () => {
  const flows = await bothMocks();
  const { controls, issuer } = flows.service;
  for (const end of ['denied', 'expired']) {
    const agent = agentOn(flows, 5);
    await agent.register({ service: issuer, type: 'service_auth', loginHint: 'u@a.example' });
    const [one] = await controls.registrations(1);
    if (end === 'denied') await controls.deny(one?.facts.id ?? '');
    else flows.clock.advance(HOUR);
    for (let tries = 0; tries < 5; tries += 1) {
      flows.clock.advance(1_000);
      await agent.waitForClaim().catch(() => {});
    }
  }
  expect(told(flows.log.read().exchanges)).toEqual([]);
});

/** An exchange of a golden file as it would have been recorded; the headers of its request are not in it. */
function recorded(golden: GoldenExchange, redactor: Redactor, seq: number): Exchange {
  const [method = '', path = ''] = golden.request.split(' ');
  const isPage = golden.headers['content-type']?.includes('html') === true;
  // Several cookies have names of their own there.
  const headers = Object.entries(golden.headers).filter(([name]) => !name.includes(' '));
  const response = redactor.body(golden.body ?? null, true);
  return {
    seq,
    to: 'service',
    at: Date.parse(golden.headers['date'] ?? '') || 0,
    duration: 0,
    method,
    url: redactor.url(`https://service.test${path}`),
    path: redactor.url(path),
    status: golden.status,
    request: {
      headers: {},
      body: redactor.body(golden.sent ?? null, false),
      bodyState: 'whole',
      bytes: 1,
    },
    response: {
      headers: redactor.headers(new Headers(headers), true),
      body: response,
      bodyState: isPage ? 'page' : 'whole',
      bytes: 1,
    },
  };
}

describe('the service of the golden transcripts', () => {
  it.each(Object.keys(RAW_FLOWS))('is found right, whatever its client does: %s', (name) => {
    const redactor = new Redactor(processFingerprint);
    const exchanges = readGolden(nameOf('flat', name)).map((each, at) =>
      recorded(each, redactor, at + 1),
    );
    expect(exchanges.length).toBeGreaterThan(3);
    expect(judged(exchanges).filter(({ by }) => by === 'service')).toEqual([]);
  });
});
