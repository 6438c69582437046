import { MEDIA_TYPE, MINUTE } from '../../protocol/index.ts';
import type { Death } from '../engine/death-watch.ts';
import { drawSeed, Invented } from '../engine/invented.ts';
import { NotApplicable } from '../engine/judge.ts';
import type { ScenarioResult } from '../engine/model.ts';
import { runScenarios } from '../engine/runner.ts';
import type { Sending } from '../http/http-client.ts';
import { HttpClient } from '../http/http-client.ts';
import { NoAnswer } from '../http/no-answer.ts';
import { Recorder } from '../http/recorder.ts';
import type { TestKey } from '../jwt/forge.ts';
import { answers } from '../target/answers.ts';
import { httpControl, type TargetControl } from '../target/http-control.ts';
import type { JudgeTargetOptions } from '../target/judge-target-options.ts';
import { TargetTime } from '../target/target-time.ts';
import { FormUser } from '../user/form-user.ts';
import { usersOf } from '../user/users-of.ts';
import { connectService } from './connect-service.ts';
import { crossAppOf } from './cross-app/connect-cross-app.ts';
import type { CrossAppOptions } from './cross-app/given.ts';
import { isCrossAppAlone, resultOfferedBy, scenariosOfferedBy } from './cross-app/left-out.ts';
import { findDialect } from './dialect/find-dialect.ts';
import { resultIn, scenariosIn } from './dialect/in-dialect.ts';
import { SERVICE_SCENARIOS } from './scenarios/index.ts';
import { type ServiceRun, ServiceWorld } from './service-world.ts';
import { startTestProviders, type TestProviders } from './test-provider.ts';
import type { WriteRequest } from './write-request.ts';

/** What {@link judgeService} needs. Durations are milliseconds. */
export interface JudgeServiceOptions extends JudgeTargetOptions<ServiceWorld> {
  /** The base URL of the service, or a protected resource of it. */
  readonly target: string;
  /** A protected URL, absolute or relative to the target. Default: the target, or `/api/resource`. */
  readonly resource?: string | undefined;
  /** The provider that the suite runs: its port, its issuer as configured at the service, its key. */
  readonly provider?: {
    readonly port?: number;
    readonly issuer?: string;
    readonly key?: TestKey;
    /** The service is configured to trust it. */
    readonly trusted?: boolean;
  };
  /** Served already, for a target that was configured with them. Not closed here. */
  readonly providers?: TestProviders;
  /** Gives an ID-JAG of a provider that the service trusts, where that is not the one of the suite. */
  readonly mintCommand?: ServiceRun['mintCommand'];
  /** Called with the dialect in which the service is judged, before anything is; not where it registers no agents. */
  readonly onDialect?: ((dialect: string) => void) | undefined;
  /** Who claims. Default: somebody who fills in the forms of the pages. */
  readonly makeUser?: ServiceRun['makeUser'];
  /** Writes that the service takes with a token. Default: the usual ones at the protected resource are tried. */
  readonly writes?: readonly WriteRequest[];
  /** Members by which agents name themselves at this service, beside the usual ones: `label`, `agent.title`. */
  readonly namingMembers?: readonly string[];
  /** What cross-app access is judged with. Default: nothing, so that a server that has nothing else is not judged. */
  readonly crossApp?: CrossAppOptions | undefined;
}

const NOT_TRUSTED =
  'The service does not trust the provider that the suite runs: see --provider-issuer, --provider-port, --control.';

/**
 * Judges a service that runs. Resolves with what was found, whatever that is.
 * @throws BadTarget when there is no service at the URL.
 */
export async function judgeService(
  options: JudgeServiceOptions,
): Promise<readonly ScenarioResult[]> {
  const { clock } = options;
  const seed = options.seed ?? drawSeed(options.random);
  const http = new HttpClient({ ...options, peer: 'service' });
  const closing = [() => http.close()];
  try {
    const send = (url: string, sending: Sending = {}) =>
      http.send(url, sending, new Recorder(clock));
    const get = (url: string) => send(url);
    const users = usersOf({ ...options, patience: options.patience ?? 0 });
    const { target, resource } = options;
    const documented = await connectService(get, target, resource, options.crossApp);
    const dialect = await findDialect(documented, {
      register: (url, body) =>
        send(url, { headers: [['content-type', MEDIA_TYPE.json]], body: JSON.stringify(body) }),
      safe: options.selection?.safe === true,
      email: users.accounts.begin().user(),
    });
    const registering =
      dialect.family === 'flat'
        ? documented
        : { ...documented, identityEndpoint: dialect.registerUrl };
    const providers = options.providers ?? (await startProviders(options));
    if (options.providers === undefined) closing.unshift(() => providers.close());
    const control = options.control && (await httpControl(http, clock, options.control));
    if (control !== undefined) closing.unshift(() => control.restore());
    const time = new TargetTime({ ...options, control, patience: options.patience ?? 0 });
    const learnTime = async () => {
      const answer = await get(options.target);
      time.learn(answer.header('date'), answer.header('age'));
    };
    await learnTime();
    const distrusted = await distrust(options, control, providers);
    const crossApp = await crossAppOf(
      registering,
      dialect.registerUrl,
      options,
      providers,
      distrusted,
      send,
    );
    const facts = { ...registering, crossApp };
    if (!isCrossAppAlone(facts)) options.onDialect?.(dialect.family);
    const deaths: Death[] = [];
    const prepared: ServiceRun = {
      deaths,
      noNewcomers: undefined,
      keysInAdvance: options.provider?.key !== undefined,
      facts,
      http,
      providers,
      time,
      random: options.random,
      distrust: distrusted,
      mintCommand: options.mintCommand,
      connectionLimit: options.connectionLimit ?? 2 * MINUTE,
      namingMembers: options.namingMembers ?? [],
      writes: (options.writes ?? []).map((write) => ({
        ...write,
        url: new URL(write.url, options.target).href,
      })),
      ...users,
      shown: new Map(),
      habits: { slows: false },
      makeUser: options.makeUser ?? ((visit, means) => new FormUser(visit, means)),
    };
    const maySend = options.selection?.safe !== true && !users.accounts.haveNewcomers;
    const first = new ServiceWorld(prepared, new Recorder(clock), new Invented(seed, 'newcomers'));
    const run = { ...prepared, noNewcomers: maySend ? await whyNoNewcomers(first) : undefined };
    const { onResult } = options;
    const told = (result: ScenarioResult) => resultOfferedBy(facts, resultIn(dialect, result));
    const results = await runScenarios({
      ...options,
      ...(onResult && { onResult: (result) => onResult(told(result)) }),
      scenarios: scenariosOfferedBy(
        facts,
        scenariosIn(dialect, options.scenarios ?? SERVICE_SCENARIOS),
      ),
      together: options.together ?? (control === undefined && run.accounts.areEnough),
      world: (recorder, { id }, waiter) =>
        new ServiceWorld({ ...run, time: time.for(waiter) }, recorder, new Invented(seed, id)),
      after: async (world) => world?.restore(),
      isAlive: () => answers(get, options.target),
      origin: new URL(options.target).origin,
      onDeath: (death) => deaths.push(death),
      revival: {
        sleep: options.sleep,
        within: options.patience ?? 0,
        onBack: async () => {
          await learnTime();
          await distrust(options, control, providers);
        },
      },
    });
    return results.map(told);
  } finally {
    // A service that is gone cannot be restored; the report is not lost by that.
    for (const close of closing) await close().catch(() => undefined);
  }
}

function startProviders({ clock, random, provider }: JudgeServiceOptions): Promise<TestProviders> {
  const { port = 0, issuer, key } = provider ?? {};
  return startTestProviders({ clock, random, port, issuer, key });
}

/** Makes the service trust the suite's providers through its control API; else says why it does not. */
async function distrust(
  { provider }: JudgeServiceOptions,
  control: TargetControl | undefined,
  providers: TestProviders,
): Promise<string | undefined> {
  if (provider?.trusted === true) return undefined;
  if (control === undefined) return NOT_TRUSTED;
  await control.trust(providers.provider);
  await control.trust(providers.other);
  return undefined;
}

/**
 * Where users are listed: whether the service takes somebody else, too, whom a trusted provider vouches for.
 * No source says that it has to. One ID-JAG shows it.
 * @returns Why nobody else can come; undefined where anybody can, or where the scenarios show it.
 */
async function whyNoNewcomers(world: ServiceWorld): Promise<string | undefined> {
  if (!world.facts.identityTypes.includes('identity_assertion')) return undefined;
  try {
    const answer = await world.client.registerByIdJag(world.idJag(world.freshSubject()));
    if (!answer.refused || answer.status === 429) return undefined;
    return `The service takes no ID-JAG for an email that --accounts does not list (${answer.describe()}): list a pattern that it takes, such as new-{n}@example.com.`;
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof NotApplicable) return undefined;
    throw error;
  }
}
