import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agent, type Ceremony, createMemoryStore } from '../../src/agent/index.ts';
import { HOUR } from '../../src/protocol/index.ts';
import {
  type Fetch,
  NetworkError,
  Secret,
  SeededRandom,
  type Sleep,
  silentLog,
} from '../../src/runtime/index.ts';
import { BASE, Harness } from '../mock-service/harness.ts';
import { TestUser } from '../support/test-user.ts';

const ALICE = 'alice@example.com';
const RESOURCE = '/api/resource';

let harness: Harness;
let agents: readonly [Agent, Agent];
/** The path whose next answer is lost: the service has done what was asked for. */
let loseAnswerOf: string | undefined;
/** Types of what was posted to the identity endpoint. */
let identityTypes: string[];

beforeEach(async () => {
  harness = await Harness.start({ dialect: 'nested' });
  loseAnswerOf = undefined;
  let underWay = 0;
  identityTypes = [];
  const fetch: Fetch = async (url, init = {}) => {
    const { method, headers, body } = init;
    const { pathname } = new URL(url);
    if (pathname === '/agent/identity' && typeof body === 'string') {
      identityTypes.push(String((JSON.parse(body) as { type?: unknown }).type));
    }
    underWay += 1;
    const request = new Request(url, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(typeof body === 'string' && { body }),
      redirect: 'manual',
    });
    const answer = await harness.service.fetch(request).finally(() => {
      underWay -= 1;
    });
    if (pathname !== loseAnswerOf) return answer;
    loseAnswerOf = undefined;
    throw new NetworkError('reset', 'The connection broke off.');
  };
  const store = createMemoryStore();
  const { clock } = harness;
  // Time passes while nobody waits for an answer: a service here answers at once.
  const sleep: Sleep = async (ms) => {
    await setImmediate();
    if (underWay === 0) clock.advance(ms);
  };
  const open = () => {
    const random = new SeededRandom(7);
    return new Agent({ fetch, clock, sleep, random, log: silentLog, store });
  };
  agents = [open(), open()];
});

afterEach(() => harness.service.close());

/** The user signs in on the page, confirms, and reads the code there. */
async function readCode({ verificationUri }: Ceremony): Promise<Secret> {
  const user = new TestUser((request) => harness.service.fetch(request));
  const page = await user.openSignedIn(verificationUri ?? '', ALICE);
  const form = page.document
    .querySelectorAll('form')
    .find((one) => one.querySelector('[name="claim_attempt_token"]') !== null);
  const shown = await user.submit(page, form?.getAttribute('action') ?? '', {
    decision: 'approve',
  });
  return new Secret(/\b\d{3}[ -]?\d{3}\b/.exec(shown.text)?.[0] ?? '');
}

/** Registered by email; the user has read the code. */
async function waiting(): Promise<Secret> {
  const [agent] = agents;
  const made = await agent.register({ service: BASE, type: 'service_auth', loginHint: ALICE });
  if (made.status !== 'claim_pending') throw new Error(made.status);
  return readCode(made.ceremony);
}

async function claimed(): Promise<void> {
  const code = await waiting();
  expect((await agents[0].submitCode({ code })).status).toBe('claimed');
}

async function stored() {
  const [registration] = (await agents[0].status()).services.flatMap((one) => one.registrations);
  if (registration === undefined) throw new Error('Nothing is registered.');
  return registration;
}

/** Until the assertion has expired, as the service told its end. */
async function passAssertion(): Promise<void> {
  const { assertionRemaining } = await stored();
  harness.clock.advance((assertionRemaining ?? 0) + 1000);
}

describe('the agent and the mock service of the nested dialect', () => {
  it('knows after a lost answer that what the claim gave is gone', async () => {
    const code = await waiting();
    loseAnswerOf = '/agent/identity/claim/complete';
    await expect(agents[0].submitCode({ code })).rejects.toMatchObject({ kind: 'network' });
    expect((await agents[1].submitCode({ code })).status).toBe('revoked');
  });

  it('refreshes again and again, each time with the next token', async () => {
    await claimed();
    for (let times = 1; times <= 3; times += 1) {
      await passAssertion();
      expect((await agents[0].call(RESOURCE)).status).toBe(200);
      expect(identityTypes.filter((type) => type === 'refresh')).toHaveLength(times);
    }
    expect((await stored()).registration.ended).toBeNull();
  });

  it('refreshes once where two processes need it at the same time', async () => {
    await claimed();
    await passAssertion();
    const answers = await Promise.all(agents.map((agent) => agent.call(RESOURCE)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(identityTypes.filter((type) => type === 'refresh')).toHaveLength(1);
    // Neither has sent one that was used before, which would have ended them all.
    await passAssertion();
    expect((await agents[1].call(RESOURCE)).status).toBe(200);
  });

  it('registers nothing where `register` finds what a refresh token renews', async () => {
    await claimed();
    await passAssertion();
    const request = { service: BASE, type: 'service_auth', loginHint: ALICE, reuse: true } as const;
    expect(await agents[1].register(request)).toMatchObject({
      status: 'registered',
      already: true,
    });
    expect(identityTypes).toEqual(['service_auth', 'refresh']);
  });

  it('tells that a refresh was lost, and ends when the token was used up by it', async () => {
    await claimed();
    await passAssertion();
    loseAnswerOf = '/agent/identity';
    await expect(agents[0].token()).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringContaining('may be used up'),
    });
    await expect(agents[1].token()).rejects.toMatchObject({ code: 'registration_over' });
    expect((await stored()).state).toBe('revoked');
  });

  it('is over once its refresh token has expired', async () => {
    await claimed();
    const { refreshRemaining } = await stored();
    harness.clock.advance((refreshRemaining ?? 0) + HOUR);
    await expect(agents[0].token()).rejects.toMatchObject({ code: 'registration_over' });
    expect(identityTypes).not.toContain('refresh');
  });
});
