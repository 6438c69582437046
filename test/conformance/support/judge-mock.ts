import {
  Catalog,
  judgeService,
  type MockTarget,
  readRequirements,
  type ScenarioResult,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../src/conformance/index.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { serviceFaults } from '../faults/by-name.ts';
import type { FaultCase } from '../faults/fault-case.ts';
import { SEED } from './seed.ts';
import { serveBehindBrokenProxy } from './serve-behind-broken-proxy.ts';
import { serveDocumenting, serveErrorsWith200, serveLeniently } from './serve-leniently.ts';
import { serveMortally } from './serve-mortally.ts';
import { serveOneSession } from './serve-one-session.ts';
import { serveWithRememberedToken } from './serve-with-remembered-token.ts';
import { serveWithUnreadBodies } from './serve-with-unread-bodies.ts';
import { switchOn } from './switch-on.ts';

const SERVERS = {
  documenting: serveDocumenting,
  errorsWith200: serveErrorsWith200,
  lenient: serveLeniently,
  oneSession: serveOneSession,
  brokenProxy: serveBehindBrokenProxy,
  rememberedToken: serveWithRememberedToken,
  unreadBodies: serveWithUnreadBodies,
  mortal: serveMortally(/__proto__/),
};

const catalog = new Catalog(readRequirements());

interface JudgeMockOptions extends Pick<FaultCase, 'server' | 'late'> {
  /** Default: that of the tests; undefined lets the suite draw one. */
  readonly seed?: number | undefined;
  readonly emailPattern?: string;
  readonly mock?: Parameters<typeof startMockTarget>[0]['mock'];
  /** The users of the run read their mails. */
  readonly mails?: true;
}

/** Judges a mock service of its own, with faults, by the named scenarios; all of them by default. */
export async function judgeMock(
  faults: readonly string[] = [],
  scenarios?: readonly string[],
  options: JudgeMockOptions = {},
): Promise<readonly ScenarioResult[]> {
  const { server, late, emailPattern, mails, mock: further } = options;
  const seed = 'seed' in options ? options.seed : SEED;
  let delayed = 0;
  const clock = { now: () => systemClock.now() + delayed };
  const ports = { clock, random: systemRandom, sleep: systemSleep };
  const mock = await startMockTarget({
    ...ports,
    fetch: createSystemFetch(),
    faults: late ? [] : serviceFaults(faults),
    // A request of a busy machine takes its time: nobody else is cut off early.
    ...((scenarios?.includes('trickle') ?? true) && {
      limits: { headers: 300, request: 800, check: 30 },
    }),
    ...(server && { serve: SERVERS[server] }),
    mock: {
      // What is slow is late on the clock that both look at: nobody waits.
      delay: async (ms) => {
        delayed += ms;
      },
      ...further,
    },
  });
  const chosen = SERVICE_SCENARIOS.filter(({ id }) => scenarios?.includes(id) ?? true);
  const first = late ? [switchOn(faults, mock.control)] : [];
  try {
    const results = await judgeService({
      ...ports,
      ...(seed !== undefined && { seed }),
      ...(emailPattern !== undefined && { emailPattern }),
      target: mock.target,
      resource: '/api/resource',
      control: mock.control,
      ...(mails && { readMail: (email) => newestMail(mock.control, email) }),
      providers: mock.providers,
      provider: { trusted: true },
      crossApp: mock.crossApp,
      catalog,
      repeat: false,
      timeout: 30_000,
      patience: 2_000,
      connectionLimit: 1_500,
      scenarios: [...first, ...chosen],
    });
    return results.slice(first.length);
  } finally {
    await mock.close();
  }
}

async function newestMail({ token, url }: MockTarget['control'], email: string): Promise<string> {
  const answer = await fetch(`${url}/__mock/mails?to=${encodeURIComponent(email)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { mails } = (await answer.json()) as { mails: readonly { readonly text: string }[] };
  return mails[0]?.text ?? '';
}
