import {
  runAnonymous,
  runExistingAccount,
  runIdentityAssertion,
  runServiceAuth,
} from '../../../src/cli/demo/flows.ts';
import { DemoHarness } from '../../../src/cli/demo/harness.ts';
import { createMockProvider, type MockProvider } from '../../../src/mock-provider/index.ts';
import {
  createMockService,
  ExchangeLog,
  type MockService,
} from '../../../src/mock-service/index.ts';
import { FakeClock, type Fetch, SeededRandom, silentLog } from '../../../src/runtime/index.ts';
import { providerFaults, serviceFaults } from '../../conformance/faults/by-name.ts';

export interface Flows {
  readonly service: MockService;
  readonly provider: MockProvider;
  readonly log: ExchangeLog;
  readonly clock: FakeClock;
  /** To either mock; everything is written down. */
  readonly fetch: Fetch;
  /** What went over the wire, as it was: request lines, headers and bodies. */
  readonly wire: string[];
}

interface Setup {
  /** Another one draws other ids, tokens, codes and keys. */
  readonly seed?: number;
  readonly port?: number;
  readonly start?: number;
  /** What the mocks do wrong. */
  readonly faults?: { readonly service?: string; readonly provider?: string };
}

const SILENT = {
  start: () => {},
  flow: () => {},
  say: () => {},
  ceremony: () => {},
  exchange: () => {},
};

/** Both mocks on one log, and what goes to them. */
export async function bothMocks({
  seed = 1,
  port = 4800,
  start,
  faults = {},
}: Setup = {}): Promise<Flows> {
  const clock = new FakeClock(start);
  const log = new ExchangeLog();
  const wire: string[] = [];
  const urls = { service: `http://127.0.0.1:${port}`, provider: `http://127.0.0.1:${port + 1}` };
  const fetch: Fetch = async (url, { body, headers, method = 'GET' } = {}) => {
    const mock = url.startsWith(urls.service) ? service : provider;
    const init = { method, ...(headers && { headers }), ...(body !== undefined && { body }) };
    wire.push(url, JSON.stringify(headers ?? {}), String(body ?? ''));
    const response = await mock.fetch(new Request(url, init));
    const text = await response.clone().text();
    wire.push(JSON.stringify([...response.headers]), text);
    return response;
  };
  const ports = { clock, fetch, log: silentLog, exchanges: log };
  const service = await createMockService({
    ...ports,
    baseUrl: urls.service,
    random: new SeededRandom(seed),
    trust: [{ issuer: urls.provider, name: 'Example Provider' }],
    ...(faults.service !== undefined && { faults: serviceFaults([faults.service]) }),
  });
  const provider = await createMockProvider({
    ...ports,
    baseUrl: urls.provider,
    random: new SeededRandom(seed + 1_000),
    ...(faults.provider !== undefined && { faults: providerFaults([faults.provider]) }),
  });
  return { service, provider, log, clock, fetch, wire };
}

/** Every flow of the specification, by the agent and a user at the pages. */
export async function runAllFlows(setup: Setup = {}): Promise<Flows> {
  const flows = await bothMocks(setup);
  for (const flow of flowsOn(flows, setup)) await flow();
  return flows;
}

/** The flows of the specification, each to be begun. */
export function flowsOn(flows: Flows, setup: Setup = {}): readonly (() => Promise<void>)[] {
  const { clock, fetch, log, provider, service } = flows;
  const harness = new DemoHarness({
    service: service.issuer,
    provider: provider.issuer,
    clock,
    random: new SeededRandom((setup.seed ?? 1) + 2_000),
    fetch,
    transcript: SILENT,
    exchanges: log,
    stateOf: async (id) => (await service.controls.registration(id)).state,
  });
  return [runAnonymous, runServiceAuth, runIdentityAssertion, runExistingAccount].map(
    (flow) => () => flow(harness),
  );
}
