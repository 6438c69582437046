import { afterEach, describe, expect, it } from 'vitest';
import { WATCHED_CORE } from '../../../src/conformance/agent/core.ts';
import {
  type AnsweredRequest,
  type WatchAgentOptions,
  watchAgent,
} from '../../../src/conformance/agent/watch/watch-agent.ts';
import { Catalog } from '../../../src/conformance/engine/catalog.ts';
import type { ScenarioResult } from '../../../src/conformance/engine/model.ts';
import { readRequirements } from '../../../src/conformance/engine/read-requirements.ts';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import { systemRandom } from '../../../src/runtime/index.ts';
import { failingChecks, withStatus } from '../support/failing-checks.ts';
import { WatchedAgent as Agent, Time } from './watched-agent.ts';

const catalog = new Catalog(readRequirements());
const MINUTE = 60_000;

const failures: unknown[] = [];
afterEach(() => expect(failures.splice(0)).toEqual([]));

/** Watches what an agent does. */
async function watch(
  story: (agent: Agent) => Promise<void>,
  options: Partial<WatchAgentOptions> = {},
): Promise<readonly ScenarioResult[]> {
  const time = new Time();
  return watchAgent({
    ...time,
    random: systemRandom,
    seed: 7,
    catalog,
    quiet: MINUTE,
    onInvitation: (invitation) => {
      const agent = new Agent(time, invitation);
      void story(agent)
        .catch((error: unknown) => failures.push(error))
        .finally(() => agent.leave());
    },
    ...options,
  });
}

/** After an anonymous registration: a slow_down, a pending poll, and the claim. */
const DUE = [1, 1, 6, 6];

async function honest(agent: Agent): Promise<void> {
  await agent.discover();
  await agent.register();
  await agent.exchange();
  await agent.call();
  await agent.startClaim();
  await collect(agent);
}

/** The claim, and all that an agent does after it. */
async function collect(agent: Agent): Promise<void> {
  await agent.poll(DUE);
  expect(await agent.call()).toBe(200);
  expect(await agent.call()).toBe(401);
  await agent.exchange();
  expect(await agent.call()).toBe(200);
  await agent.revoke();
}

const verdictFor = (scenarios: readonly ScenarioResult[]) =>
  verdictOf({ scenarios, core: WATCHED_CORE, selectedOnly: false, interrupted: false });

describe('an agent that is watched', () => {
  it('passes what its traffic shows, and the rest is skipped by name', async () => {
    const requests: AnsweredRequest[] = [];
    const results = await watch(honest, { onRequest: (request) => requests.push(request) });
    expect(withStatus(results, ['pass']).map(({ id }) => id)).toEqual([
      'agent-slow-down.adds-up',
      'agent-claim.starts',
      'agent-claim.polls',
      'agent-claim.pace',
      'agent-claim.leaves-typing',
      'agent-claim.calls-claimed',
      'agent-claim.second-assertion',
      'agent-secrets.addresses',
      'agent-call.two-hops',
      'agent-call.by-get',
      'agent-call.unknown-members',
      'agent-call.registers',
      'agent-call.exchanges',
      'agent-call.calls',
      'agent-call.one-method',
      'agent-call.least-scope',
      'agent-refused-token.same-identity',
      'agent-leave.revokes',
    ]);
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    const reasons = withStatus(results, ['skip']).map(({ reason = '' }) => reason);
    expect(reasons.filter((reason) => !reason.startsWith('Watching the traffic'))).toEqual([]);
    expect(requests.at(-1)).toEqual({ method: 'POST', path: '/oauth2/revoke', status: 200 });
  });

  it('is judged as one that registered by email where it did, and did all of the core', async () => {
    const results = await watch(async (agent) => {
      await agent.discover();
      await agent.register({ type: 'service_auth', login_hint: agent.email });
      await collect(agent);
    });
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    expect(verdictFor(results)).toMatchObject({ outcome: 'conforms', unjudged: [] });
    expect(withStatus(results, ['pass']).map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'agent-service-auth.registers',
        'agent-service-auth.one-hint',
        'agent-service-auth.polls',
        'agent-service-auth.calls',
        'agent-leave.revokes',
      ]),
    );
  });

  it('is judged as a client of cross-app access alone where it is one, and asked for no registration', async () => {
    const results = await watch(async (agent) => {
      expect(await agent.connect()).toBe(200);
    });
    expect(withStatus(results, ['pass']).map(({ id }) => id)).toEqual([
      'agent-secrets.addresses',
      'agent-cross-app.signs-in',
      'agent-cross-app.verifier-kept',
      'agent-cross-app.mints',
      'agent-cross-app.redeems',
      'agent-cross-app.own-credentials',
      'agent-cross-app.not-to-resource',
      'agent-cross-app.calls',
    ]);
    expect(verdictFor(results)).toMatchObject({ outcome: 'conforms', unjudged: [] });
  });

  it('is told what was not seen where it called once and exchanged nothing', async () => {
    const results = await watch(async (agent) => {
      await agent.discover();
      await agent.register({ type: 'service_auth', login_hint: agent.email });
      await agent.poll(DUE);
      expect(await agent.call()).toBe(200);
    });
    const { outcome, unjudged } = verdictFor(results);
    expect(outcome).toBe('inconclusive');
    expect(unjudged).toContainEqual({
      story: 'an exchange',
      why: expect.stringContaining('exchanged no assertion'),
    });
    expect(unjudged.map(({ story }) => story)).not.toContain('a call with the access token');
  });

  it.each([
    [
      'has the registration claimed before it exchanges anything',
      async (agent: Agent) => {
        await agent.register();
        await agent.startClaim();
      },
    ],
    [
      'exchanges, and calls after the claim',
      async (agent: Agent) => {
        await agent.register();
        await agent.exchange();
        await agent.startClaim();
      },
    ],
    [
      'exchanges twice',
      async (agent: Agent) => {
        await agent.register();
        await agent.exchange();
        await agent.exchange();
        await agent.call();
        await agent.startClaim();
      },
    ],
    [
      'registers anew, having lost the first registration',
      async (agent: Agent) => {
        await agent.register();
        agent.rest(1);
        await agent.register();
        await agent.exchange();
        await agent.call();
        await agent.startClaim();
      },
    ],
  ] as const)('that %s is right, too', async (_what, begins) => {
    const results = await watch(async (agent) => {
      await agent.discover();
      await begins(agent);
      await collect(agent);
    });
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    expect(withStatus(results, ['pass']).map(({ id }) => id)).toContain('agent-leave.revokes');
  });

  it.each([
    ['polls too fast', 'agent-slow-down.adds-up', (agent: Agent) => agent.poll([1, 1, 1, 6])],
    [
      'takes a new identity after a 401',
      'agent-refused-token.same-identity',
      async (agent: Agent) => {
        await agent.poll(DUE);
        await agent.call();
        await agent.call();
        await agent.register();
      },
    ],
    [
      'puts its token into a URL',
      'agent-secrets.addresses',
      async (agent: Agent) => {
        await agent.call(`?access_token=${agent.token}`);
      },
    ],
    [
      'revokes something else',
      'agent-leave.revokes',
      (agent: Agent) => agent.revoke('another-token'),
    ],
  ] as const)('that %s fails %s', async (_what, check, does) => {
    const results = await watch(async (agent) => {
      await agent.discover();
      await agent.register();
      await agent.exchange();
      await agent.startClaim();
      await does(agent);
    });
    expect(failingChecks(results)).toContain(check);
  });

  it('that never comes is not judged at all', async () => {
    const time = new Time();
    const results = await watch(async () => {}, {
      ...time,
      onInvitation: () => void setImmediate(() => time.pass(11 * MINUTE)),
    });
    expect(withStatus(results, ['pass', 'fail', 'warn'])).toEqual([]);
    const reasons = withStatus(results, ['skip']).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['No request came.']));
  });

  /** What is told of a watch that is interrupted once the agent has done something. */
  async function interrupted(does: (agent: Agent) => Promise<void>) {
    const interrupt = new AbortController();
    const told: ScenarioResult[] = [];
    const watching = watch(
      async (agent) => {
        await agent.discover();
        await does(agent);
        interrupt.abort(new Error('enough'));
      },
      { signal: interrupt.signal, onResult: (result) => told.push(result) },
    );
    await expect(watching).rejects.toThrow('enough');
    return told;
  }

  it('is judged by what was seen where the watch is interrupted', async () => {
    const told = await interrupted(async (agent) => {
      await agent.register();
    });
    expect(withStatus(told, ['pass']).map(({ id }) => id)).toContain('agent-call.registers');
  });

  it.each([
    ['the challenge', async () => {}],
    [
      'a registration',
      async (agent: Agent) => {
        await agent.register();
      },
    ],
    [
      'an exchange',
      async (agent: Agent) => {
        await agent.register();
        await agent.exchange();
      },
    ],
    [
      'the claim',
      async (agent: Agent) => {
        await agent.register();
        await agent.startClaim();
        await agent.poll(DUE);
      },
    ],
  ] as const)('is not accused of what it had no time for after %s', async (_what, does) => {
    const told = await interrupted(does);
    expect(failingChecks(told)).toEqual([]);
    const reasons = withStatus(told, ['skip']).map(({ reason }) => reason);
    const isJudged = withStatus(told, ['pass']).some(({ id }) => id === 'agent-call.two-hops');
    expect(isJudged || reasons.includes('The watch was interrupted before it was seen.')).toBe(
      true,
    );
  });
});
