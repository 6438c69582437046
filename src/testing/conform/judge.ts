import { type Baseline, readBaseline } from '../../conformance/engine/baseline.ts';
import { Catalog } from '../../conformance/engine/catalog.ts';
import { drawSeed } from '../../conformance/engine/invented.ts';
import { readRequirements } from '../../conformance/engine/read-requirements.ts';
import { buildReport } from '../../conformance/engine/report.ts';
import { checkIds } from '../../conformance/engine/scenario.ts';
import { isNarrowed } from '../../conformance/engine/selection.ts';
import { settle } from '../../conformance/engine/settle.ts';
import { isGood } from '../../conformance/reporters/report-view.ts';
import { SERVICE_CORE } from '../../conformance/service/core.ts';
import { judgeService } from '../../conformance/service/judge-service.ts';
import { SERVICE_SCENARIOS } from '../../conformance/service/scenarios/index.ts';
import { startTestProviders, type TestProviders } from '../../conformance/service/test-provider.ts';
import { BadTarget } from '../../conformance/target/bad-target.ts';
import type { MockService } from '../../mock-service/index.ts';
import { type Sleep, systemClock, systemRandom, systemSleep } from '../../runtime/index.ts';
import { TestClock } from '../world/test-clock.ts';
import type {
  Judgement,
  JudgeOptions,
  JudgeSetting,
  ServiceBuilder,
  ServiceToJudge,
} from './judged-app.ts';
import { judgementText } from './judgement-text.ts';
import { refuseNone, refuseUnknown } from './refuse-unknown.ts';
import { serveApp } from './serve-app.ts';

const PATIENCE = 30_000;
const TIMEOUT = 10_000;

/** What is judged, once it can be reached. */
interface Target {
  readonly url: string;
  readonly trusts: boolean;
  /** Its clock is moved instead of waiting. */
  readonly sleep: Sleep | undefined;
  /** Whether it is an application, which is served for the time being. */
  readonly isApp: boolean;
  /** What it threw first, and did not catch: a sentence. */
  readonly thrown: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** @see judge of `agent-auth/testing` */
export async function judge(
  service: ServiceToJudge | Pick<MockService, 'issuer' | 'fetch' | 'controls'>,
  options: JudgeOptions = {},
): Promise<Judgement> {
  refuseUnknown(options);
  refuseNone(service);
  const baseline = baselineOf(options);
  const clock = new TestClock(systemClock);
  const seed = options.seed ?? drawSeed(systemRandom);
  const providers = await startTestProviders({
    clock,
    random: systemRandom,
    port: options.providerPort ?? 0,
  });
  try {
    const target = await targetOf(service, providers, clock, options);
    try {
      return await judgeTarget(target, { options, providers, clock, seed, baseline });
    } catch (error) {
      const thrown = target.thrown();
      if (!(error instanceof BadTarget) || thrown === undefined) throw error;
      throw new BadTarget(error.kind, `${error.message} ${thrown}`);
    } finally {
      await target.close();
    }
  } finally {
    await providers.close();
  }
}

interface Run {
  readonly options: JudgeOptions;
  readonly providers: TestProviders;
  readonly clock: TestClock;
  readonly seed: number;
  readonly baseline: Baseline | undefined;
}

/** @throws TypeError when it is none of a service, or lists what is no check. */
function baselineOf({ baseline }: JudgeOptions): Baseline | undefined {
  if (baseline === undefined) return undefined;
  try {
    const read = readBaseline(baseline, SERVICE_SCENARIOS.flatMap(checkIds));
    if (read.role === 'service') return read;
    throw new TypeError(`it is for the role ${read.role}.`);
  } catch (error) {
    const isName = /^[^\s{[]+$/.test(baseline);
    const why = isName
      ? "it takes the text of the file, not its name: readFileSync('known.yaml', 'utf8')."
      : (error as Error).message;
    throw new TypeError(`The baseline cannot be read: ${why}`);
  }
}

async function judgeTarget(target: Target, run: Run): Promise<Judgement> {
  const { baseline, clock, options, providers, seed } = run;
  const { clientDocument, clients, reading, subject } = options;
  const { control, level, only, patience, safe, section, skip = [], timeout } = options;
  const resources = options.resource === undefined ? [] : [options.resource].flat();
  const chosen = {
    ...(only && { only }),
    ...(options.skip && { skip }),
    ...(level && { level }),
    ...(section && { section }),
    ...(safe && { safe }),
  };
  const startedAt = systemClock.now();
  const isMoved = target.sleep !== undefined;
  const results = await judgeService({
    target: target.url,
    resource: resources[0],
    crossApp: {
      resources,
      ...(clients && { clients }),
      ...(clientDocument && { clientDocument }),
      ...(reading && { reading }),
      ...(subject !== undefined && { subject }),
    },
    clock,
    random: systemRandom,
    sleep: target.sleep ?? systemSleep,
    seed,
    catalog: new Catalog(readRequirements()),
    providers,
    provider: { trusted: target.trusts },
    control,
    timeout: timeout ?? TIMEOUT,
    patience: isMoved ? Number.POSITIVE_INFINITY : (patience ?? PATIENCE),
    // Each sleep moves the one clock; a connection that is held open has the machine's time, not the service's.
    ...(isMoved && { together: false }),
    selection: { ...chosen, ...(isMoved && { skip: [...skip, 'trickle'] }) },
  });
  const report = buildReport({
    version: '',
    role: 'service',
    target: target.url,
    startedAt,
    duration: systemClock.now() - startedAt,
    seed,
    scenarios: settle(results, SERVICE_SCENARIOS),
    core: SERVICE_CORE,
    baseline,
    selectedOnly: isNarrowed(chosen),
  });
  const thrown = target.thrown();
  const { skip: _skipped, ...counts } = report.summary.checks;
  const isJudged = Object.values(counts).some((count) => count > 0);
  return {
    conforms: isJudged && isGood(report),
    text:
      (isJudged ? '' : 'Nothing was judged of what was selected.\n') +
      judgementText(report, target.isApp) +
      (thrown === undefined ? '' : `\n${thrown}`),
    report,
  };
}

function targetOf(
  service: ServiceToJudge | Pick<MockService, 'issuer' | 'fetch' | 'controls'>,
  providers: TestProviders,
  clock: TestClock,
  { providerPort }: JudgeOptions,
): Promise<Target> {
  if (typeof service === 'string' || service instanceof URL) {
    return Promise.resolve({
      url: String(service),
      trusts: providerPort !== undefined,
      sleep: undefined,
      isApp: false,
      thrown: () => undefined,
      close: async () => {},
    });
  }
  if ('controls' in service && 'issuer' in service) return mockTarget(service, providers, clock);
  return appTarget(service, providers, clock);
}

/** A mock that runs: it is told whom to trust, and its clock is moved. */
async function mockTarget(
  { controls, issuer }: Pick<MockService, 'issuer' | 'controls'>,
  providers: TestProviders,
  clock: TestClock,
): Promise<Target> {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(issuer).hostname)) {
    throw new TypeError(
      `${issuer} answers in this process alone, and the suite comes over HTTP: judge the service of startTestWorld, or give a function that builds it for an origin.`,
    );
  }
  const { clockOffset } = await controls.state();
  for (const { issuer: trusted, jwksUri } of [providers.provider, providers.other]) {
    await controls.trust({ issuer: trusted, jwksUri });
  }
  return {
    url: issuer,
    trusts: true,
    isApp: false,
    thrown: () => undefined,
    sleep: async (ms) => {
      clock.advance(Math.ceil(ms));
      await controls.moveClock({ advance: Math.ceil(ms) });
    },
    close: async () => {
      await controls.moveClock({ offset: clockOffset });
    },
  };
}

/** An application of somebody else's. What it takes of its setting says how it can be judged. */
async function appTarget(
  service: Exclude<ServiceToJudge, string | URL>,
  { other, provider }: TestProviders,
  clock: TestClock,
): Promise<Target> {
  const taken = new Set<keyof JudgeSetting>();
  const served = await serveApp((origin): unknown => {
    if (typeof service !== 'function' || service.length > 1) return service;
    const setting: JudgeSetting = {
      origin,
      get providers() {
        taken.add('providers');
        return [provider, other].map(({ issuer, jwksUri }) => ({ issuer, jwksUri }));
      },
      get clock() {
        taken.add('clock');
        return clock;
      },
    };
    return (service as ServiceBuilder)(setting);
  });
  return {
    url: served.origin,
    trusts: taken.has('providers'),
    sleep: taken.has('clock') ? async (ms) => clock.advance(Math.ceil(ms)) : undefined,
    isApp: true,
    thrown: () => served.thrown,
    close: served.close,
  };
}
