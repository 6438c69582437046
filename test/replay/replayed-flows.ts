import { runAnonymous } from '../../src/cli/demo/flows/anonymous.ts';
import {
  runExistingAccount,
  runIdentityAssertion,
} from '../../src/cli/demo/flows/identity-assertion.ts';
import { runServiceAuth } from '../../src/cli/demo/flows/service-auth.ts';
import { DemoHarness } from '../../src/cli/demo/harness.ts';
import {
  type Exchange,
  ExchangeLog,
  type Transcript,
  transcript,
} from '../../src/exchanges/index.ts';
import { type FetchHandler, recordExchanges } from '../../src/mock/index.ts';
import { createMockProvider } from '../../src/mock-provider/index.ts';
import { createReplayedService, readTranscript } from '../../src/replay/index.ts';
import { FakeClock, type Fetch, SeededRandom, silentLog } from '../../src/runtime/index.ts';

export const SERVICE = 'http://127.0.0.1:5800';
const PROVIDER = 'http://127.0.0.1:5801';

const SILENT = {
  start: () => {},
  flow: () => {},
  say: () => {},
  ceremony: () => {},
  exchange: () => {},
};

/** What went to the service alone, as a file has it. */
export function serviceTranscript(exchanges: readonly Exchange[]): string {
  return JSON.stringify(transcript(exchanges.filter(({ to }) => to === 'service')), null, 2);
}

export interface Replay {
  readonly handler: FetchHandler;
  readonly log: ExchangeLog;
  readonly clock: FakeClock;
  readonly fetch: Fetch;
}

/** A replayed service whose exchanges are recorded again. */
export async function replayOf(
  file: string | Transcript,
  { seed = 99 }: { readonly seed?: number } = {},
): Promise<Replay> {
  const clock = new FakeClock(Date.UTC(2033, 1, 2, 3, 4, 5, 678));
  const log = new ExchangeLog();
  const service = await createReplayedService({
    transcript: typeof file === 'string' ? readTranscript(file) : file,
    baseUrl: SERVICE,
    clock,
    random: new SeededRandom(seed),
  });
  const handler = recordExchanges(service.fetch, {
    to: 'service',
    log,
    clock,
    machineClock: clock,
    report: silentLog,
    isOutside: () => false,
  });
  const fetch: Fetch = (url, { body, headers, method = 'GET' } = {}) =>
    handler(
      new Request(url, {
        method,
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
      }),
    );
  return { handler, log, clock, fetch };
}

/** Every flow of the specification, by our agent and a user at the pages, against a replay. */
export async function runFlowsOn({ clock, fetch: toService, log }: Replay): Promise<void> {
  const fetch: Fetch = (url, init = {}) =>
    url.startsWith(SERVICE)
      ? toService(url, init)
      : provider.fetch(
          new Request(url, {
            method: init.method ?? 'GET',
            ...(init.headers && { headers: init.headers }),
            ...(init.body !== undefined && { body: init.body }),
          }),
        );
  const provider = await createMockProvider({
    baseUrl: PROVIDER,
    clock,
    fetch,
    log: silentLog,
    random: new SeededRandom(4_321),
  });
  const harness = new DemoHarness({
    service: SERVICE,
    provider: PROVIDER,
    clock,
    random: new SeededRandom(5_432),
    fetch,
    transcript: SILENT,
    exchanges: log,
    stateOf: async () => undefined,
  });
  for (const flow of [runAnonymous, runServiceAuth, runIdentityAssertion, runExistingAccount]) {
    await flow(harness);
  }
}
