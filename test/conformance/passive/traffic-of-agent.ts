import type { FetchHandler } from '../../../src/mock/http/app.ts';
import { recordExchanges } from '../../../src/mock/traffic/record-exchanges.ts';
import { createMockProvider } from '../../../src/mock-provider/index.ts';
import { createMockService, type MockService } from '../../../src/mock-service/index.ts';
import { SeededRandom, silentLog } from '../../../src/runtime/index.ts';
import { type Exchange, ExchangeLog } from '../../../src/traffic/index.ts';
import type { Break } from '../agents/breaks.ts';
import { makeAgent } from '../agents/good-agent.ts';
import { MemoryHarness } from '../agents/memory-harness.ts';

const EMAIL = 'alice@example.com';

interface Traffic {
  /** Runs of the agent, in order. */
  readonly runs: readonly Run[];
  /** What happens when the nth poll comes, before it is answered. */
  readonly polled?: (n: number, service: MockService, id: string) => Promise<unknown>;
  /** Of the services. */
  readonly faults?: readonly string[];
  /** Answers in the place of the service. */
  readonly instead?: (request: Request, n: number) => Response | undefined;
}

interface Run {
  readonly task: 'call' | 'claim' | 'leave' | 'skill';
  readonly type?: 'anonymous' | 'service_auth' | 'identity_assertion';
  /** At the other service, which trusts the same provider. */
  readonly elsewhere?: true;
}

/** The traffic of an agent of the tests, with these breaks, at mocks that are right. */
export async function trafficOf(
  breaks: readonly Break[],
  { runs, faults = [], polled, instead }: Traffic,
): Promise<readonly Exchange[]> {
  const harness = new MemoryHarness(makeAgent(...breaks));
  const { clock } = harness;
  const log = new ExchangeLog();
  const ports = { clock, log: silentLog, exchanges: 0 };
  const place = { log, clock, machineClock: clock, report: silentLog };
  const mocks: { close(): Promise<void> }[] = [];
  const network = (url: string, init: RequestInit = {}) => handlers(new Request(url, init));
  const at = new Map<string, FetchHandler>();
  const handlers: FetchHandler = (request) =>
    at.get(new URL(request.url).origin)?.(request) ?? Promise.reject(new Error(request.url));
  const hostAt = (build: (origin: string) => Promise<FetchHandler>) =>
    harness.host(async (origin) => {
      const handler = await build(origin);
      at.set(origin, handler);
      return handler;
    });
  const provider = await hostAt(async (baseUrl) => {
    const mock = await createMockProvider({
      ...ports,
      baseUrl,
      fetch: (url, init) => network(url, init as RequestInit),
      random: new SeededRandom(1),
      audiences: ['any'],
      autoApprove: EMAIL,
    });
    mocks.push(mock);
    return recordExchanges((request) => mock.fetch(request), { ...place, to: 'provider' });
  });
  const service = (seed: number) =>
    hostAt(async (baseUrl) => {
      const mock = await createMockService({
        ...ports,
        baseUrl,
        fetch: (url, init) => network(url, init as RequestInit),
        random: new SeededRandom(seed),
        trust: [{ issuer: provider }],
        faults,
      });
      mocks.push(mock);
      let polls = 0;
      return recordExchanges(
        async (request) => {
          const sent = await request.clone().text();
          if (/grant_type=[^&]*claim/.test(sent)) {
            polls += 1;
            const [open] = await mock.controls.registrations(1);
            if (open !== undefined) await polled?.(polls, mock, open.facts.id);
          }
          return instead?.(request, polls) ?? mock.fetch(request);
        },
        { ...place, to: 'service' },
      );
    });
  const own = await service(2);
  const other = await service(3);
  for (const { task, type = 'anonymous', elsewhere } of runs) {
    // A moment passes with each run: requests at one instant are taken for simultaneous.
    clock.advance(10);
    const url = elsewhere === true ? other : own;
    const context = {
      schema: 'agent-auth.conformance-agent/1',
      scenario: 'passive',
      task,
      service: url,
      resource: `${url}/api/resource`,
      type,
      email: EMAIL,
      ...(type === 'identity_assertion' && { provider, client_id: 'agent-auth' }),
      person_agrees: false,
      open_browser: false,
      timeout_seconds: 3_600,
    };
    await harness.run({
      variables: { AGENT_AUTH_CONTEXT: JSON.stringify(context), AGENT_AUTH_SERVICE: url },
      limit: 3_600_000,
      browser: false,
    });
  }
  for (const mock of mocks) await mock.close();
  return log.read().exchanges;
}
