import type { IdentityType } from '../../protocol/index.ts';
import { CannotTest } from '../engine/judge.ts';
import { type AgentTask, DECLINED, READS_ITS_TASK } from './agent-task.ts';
import { type AgentWorld, ending, type ObservedRun, ofKind } from './agent-world.ts';
import type { CommandEnd, ControlName, ControlRuns, ControlStep } from './control-runs.ts';
import type { ReceivedRequest } from './received-request.ts';
import { PLACES, type Place } from './service-peer.ts';
import { crossApp, runConnect } from './steps/cross-app.ts';
import { publishDiscovery } from './steps/publish-discovery.ts';
import { goodCall, goodExchange, listed, registrations } from './steps/traffic.ts';

interface Control {
  readonly task: AgentTask;
  readonly type?: IdentityType;
  readonly browser?: true;
  /** Default: as the mock serves them. */
  readonly place?: Place;
  /** Its authorization server is on a host that the suite invented, by https. */
  readonly elsewhere?: true;
}

/** What the agent is asked to do at a service where everything is right. */
const CONTROLS = {
  'discovery at challenge': { task: 'call', place: 'challenge' },
  'discovery at origin': { task: 'call', place: 'origin' },
  'discovery at well-known': { task: 'call', place: 'well-known' },
  'https elsewhere, by challenge': { task: 'call', place: 'challenge', elsewhere: true },
  'https elsewhere, by origin': { task: 'call', place: 'origin', elsewhere: true },
  'https elsewhere, by well-known': { task: 'call', place: 'well-known', elsewhere: true },
  begin: { task: 'begin' },
  claim: { task: 'claim', browser: true },
  connect: { task: 'connect' },
} as const satisfies Readonly<Record<ControlName, Control>>;

interface ControlRun extends ObservedRun {
  /** Whether the suite saw that the agent wanted to reach the invented host. */
  readonly isSeen: boolean;
}

/** What each step is called in a sentence, and how it is seen. */
const STEPS = {
  registration: ['register', (run) => answered(registrations(run.traffic))],
  exchange: [
    'exchange its assertion for a token',
    (run) => goodExchange(run.traffic) !== undefined,
  ],
  call: ['call with a token', (run) => goodCall(run.traffic) !== undefined],
  attempt: ['open a claim attempt', (run) => answered(ofKind(run.traffic, 'claim'))],
  poll: ['poll for the claim', (run) => ofKind(run.traffic, 'poll').length > 0],
  page: ['open the page of the claim in the browser', (run) => run.opened.some(isPage)],
  code: ['redeem an authorization code', (run) => answered(ofKind(run.traffic, 'code'))],
  mint: ['exchange an ID token for an ID-JAG', (run) => answered(ofKind(run.traffic, 'mint'))],
  redemption: ['redeem an ID-JAG', (run) => goodExchange(run.traffic) !== undefined],
  connection: ['call with a token', (run) => goodCall(run.traffic) !== undefined],
} as const satisfies Readonly<
  Record<ControlStep, readonly [did: string, isReached: (run: ObservedRun) => boolean]>
>;

function answered(requests: readonly ReceivedRequest[]): boolean {
  return requests.some(({ answer }) => answer?.status === 200);
}

function isPage(word: string): boolean {
  return word.startsWith('http://127.0.0.1:');
}

const MOST_HUNG = 3;

function ignore(): void {}

type Within = <T>(controls: ControlRuns, use: (world: AgentWorld) => Promise<T>) => Promise<T>;

/** The control runs, each made at most once in a run of the suite, in folders of its own. */
export class Controls implements ControlRuns {
  isHeard = false;
  #tellHeard: () => void = ignore;
  /** How many of the last runs hung without a request. */
  #hung = 0;
  /** The first run of those, or of a command that sends none whatever it is asked to do. */
  #silent: CommandEnd | undefined;
  /** When the first run of all has sent a request or ended. */
  #first: Promise<void> | undefined;
  /** The first of all requests. */
  readonly heard = new Promise<void>((resolve) => {
    this.#tellHeard = resolve;
  });
  readonly #runs = new Map<ControlName, Promise<ControlRun>>();
  readonly #within: Within;
  readonly #isTrial: boolean;

  /**
   * @param within lends a fresh world, and closes it.
   * @param isTrial Whether all that is asked is whether the command sends anything.
   */
  constructor(within: Within, isTrial = false) {
    this.#within = within;
    this.#isTrial = isTrial;
  }

  async need(name: ControlName, step: ControlStep): Promise<void> {
    const run = await this.#run(name);
    const [did, isReached] = STEPS[step];
    if (isReached(run)) return;
    const hint = run.traffic.length === 0 ? ` ${READS_ITS_TASK}` : '';
    throw new CannotTest(
      `At a right service this agent did not ${did} either: ${listed(run.traffic)} (${ending(run)}). So nothing is shown by what it did not do here.${hint}`,
    );
  }

  async place(step: ControlStep): Promise<Place> {
    let first: unknown;
    for (const place of PLACES) {
      try {
        await this.need(`discovery at ${place}`, step);
        return place;
      } catch (error) {
        if (!(error instanceof CannotTest)) throw error;
        first ??= error;
        // One that hangs would hang at each place.
        if ((await this.#run(`discovery at ${place}`)).killed) break;
      }
    }
    throw first;
  }

  async needSight(): Promise<void> {
    const place = await this.place('registration');
    const run = await this.#run(`https elsewhere, by ${place}`);
    if (run.isSeen) return;
    throw new CannotTest(
      `What this agent sends to other hosts cannot be seen: a right service had its authorization server at an https URL of a host that the suite invented, and no connection to it arrived (${ending(run)}). The agent refuses such a server, or its runtime uses neither HTTPS_PROXY nor NODE_OPTIONS.`,
    );
  }

  async run<Run extends CommandEnd>(
    begin: () => Promise<Run>,
    requests: () => number,
  ): Promise<Run> {
    const noted = async () => this.#note(await begin(), requests());
    if (this.#first !== undefined) {
      await this.#first;
      this.#needLife();
      return noted();
    }
    const first = noted();
    const looked = first.then((run) => this.#lookAt(run));
    this.#first = Promise.race([looked.catch(ignore), this.heard]);
    const run = await first;
    await this.#first;
    this.#needLife();
    return run;
  }

  noteRequest(): void {
    this.isHeard = true;
    this.#tellHeard();
  }

  /** @throws CannotTest */
  #needLife(): void {
    if (this.#silent !== undefined && !this.isHeard) {
      const hint = this.#silent.killed ? ' If it takes longer to start: --timeout.' : '';
      throw new CannotTest(
        `The command sent no request (${ending(this.#silent)}), so that no other run was begun. ${READS_ITS_TASK}${hint}`,
      );
    }
    if (this.#hung < MOST_HUNG) return;
    throw new CannotTest(
      `${MOST_HUNG} runs of the command had to be killed before they sent a request, so no other was begun. Does it wait for something?`,
    );
  }

  /** Whether a first run without a request is that of a command which sends none at a right service either. */
  async #lookAt(first: CommandEnd): Promise<void> {
    const { exitCode, killed } = first;
    if (this.#isTrial || this.isHeard || killed || exitCode === DECLINED) return;
    const trial = new Controls(this.#within, true);
    const isMute = async (name: ControlName, step: ControlStep) => {
      const wrong = await trial.need(name, step).catch((error: unknown) => error);
      return !trial.isHeard && wrong instanceof CannotTest;
    };
    // One at a time: two may be in each other's way.
    if (!(await isMute('discovery at challenge', 'call'))) return;
    if (await isMute('connect', 'connection')) this.#silent = first;
  }

  #note<Run extends CommandEnd>(run: Run, requests: number): Run {
    const isHung = run.killed && requests === 0;
    this.#hung = isHung ? this.#hung + 1 : 0;
    if (isHung) this.#silent ??= run;
    return run;
  }

  #run(name: ControlName): Promise<ControlRun> {
    let run = this.#runs.get(name);
    if (run === undefined) {
      run = this.#within(this, (world) => runControl(world, CONTROLS[name]));
      // Whoever awaits it is told.
      run.catch(() => {});
      this.#runs.set(name, run);
    }
    return run;
  }
}

async function runControl(world: AgentWorld, control: Control): Promise<ControlRun> {
  const { task, type = 'anonymous', browser = false, place, elsewhere = false } = control;
  if (task === 'connect') return { ...(await runConnect(await crossApp(world))), isSeen: false };
  const service = await world.service();
  const host = world.invented.host();
  if (place !== undefined) {
    service.move(place);
    const resource = elsewhere ? { authorization_servers: [`https://${host}`] } : {};
    publishDiscovery(service, { resource });
  }
  if (task === 'claim') service.completeAtPoll(1);
  const run = await world.run(task, { service, type, browser });
  return { ...run, isSeen: world.harness.secureHosts().some((seen) => seen.includes(host)) };
}
