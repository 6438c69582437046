import { randomBytes } from 'node:crypto';
import type { Clock } from '../../runtime/index.ts';
import { Recorder } from '../http/recorder.ts';
import { Redactor } from '../http/redact.ts';
import type { Catalog, CheckBasis } from './catalog.ts';
import { runConfirmed } from './confirm.ts';
import { type Death, DeathWatch, type Revival } from './death-watch.ts';
import { Judge, type Unjudged, unjudgedBy, type Verdict } from './judge.ts';
import { aborted, Lane, runInLane } from './lane.ts';
import type { CheckResult, ScenarioResult, Status } from './model.ts';
import type { Scenario } from './scenario.ts';
import { isChosen, type Selection, selectedNames } from './selection.ts';
import { settle } from './settle.ts';
import { Turn, type Waiter } from './turn.ts';

export interface RunOptions<World> {
  readonly scenarios: readonly Scenario<World>[];
  /** Makes what one run of a scenario works with. Its exchanges go to the recorder. */
  readonly world: (
    recorder: Recorder,
    scenario: Scenario<World>,
    waiter: Waiter,
  ) => World | Promise<World>;
  /** The requirements, and which check judges which. */
  readonly catalog: Catalog;
  /** What of them is judged. Default: all. */
  readonly selection?: Selection;
  /** The time. */
  readonly clock: Clock;
  /** Milliseconds that one scenario may take, without its waits. Default: five minutes. */
  readonly limit?: number;
  /** A scenario that waits lets the others run meanwhile. Default: they run one after another. */
  readonly together?: boolean;
  /** Runs a scenario that failed once more before its red lines are kept. Default: yes. */
  readonly repeat?: boolean;
  /** Ends the run: the scenario that runs is left, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each scenario, and after the last one. */
  readonly onProgress?: (progress: Progress) => void;
  /** Called with each result, in the order of the scenarios, also with what an interrupted one has judged. */
  readonly onResult?: (result: ScenarioResult) => void;
  /** Called after each scenario, judged or not, with its world where it has one: resets what it changed. */
  readonly after?: (world: World | undefined) => Promise<void>;
  /** Whether the target still listens; asked where a request was not answered. */
  readonly isAlive?: () => Promise<boolean>;
  /** Where it listens. */
  readonly origin?: string;
  /** How a target that does not comes back. Default: it does not. */
  readonly revival?: Revival | undefined;
  /** Called with each death of the target. */
  readonly onDeath?: (death: Death) => void;
}

/** How far a run is. */
export interface Progress {
  /** Scenarios that have ended. */
  readonly done: number;
  /** Scenarios in all. */
  readonly total: number;
  /** The title of the scenario that starts or, when all have, of one that waits; undefined at the end. */
  readonly title?: string;
  /** How many others have begun, and wait. */
  readonly waiting?: number;
}

/**
 * Runs the selected scenarios, one at a time: each to its end or, where they wait together, to its next wait.
 * Never rejects because of what the peer does.
 */
export async function runScenarios<World>(
  options: RunOptions<World>,
): Promise<readonly ScenarioResult[]> {
  const { scenarios, catalog, selection = {}, signal, repeat = true, onProgress } = options;
  const items = scenarios.filter((scenario) => isChosen(scenario, catalog, selection));
  const deathWatch = new DeathWatch({ isAlive: undefined, revival: undefined, ...options });
  // One key for the run, so that a secret has the same mark in each scenario.
  const common = { lane: new Lane(signal), key: randomBytes(32), deathWatch };
  const runAll = (of: readonly Scenario<World>[], settings: RunOptions<World>) =>
    runInLane({
      ...common,
      items: of,
      placeOf: (scenario) => placeOf(scenario, options.together === true),
      signal,
      onProgress: (begun, counts) =>
        onProgress?.({ ...counts, ...(begun && { title: begun.title }) }),
      onResult: options.onResult,
      run: (scenario, left) => {
        const run = (tell?: typeof left) => runOne(scenario, settings, { ...common, left: tell });
        // What an interrupted repetition has judged is less than what it repeats.
        return judgedAlive(scenario, deathWatch, () =>
          repeat ? runConfirmed(scenario, () => run(left), run, left) : run(left),
        );
      },
    });
  const results = await runAll(items, options);
  if (deathWatch.deaths === 0) return settle(results, scenarios);
  // A death is told whatever was selected, unless by name it is not to be.
  const { only: _only, level: _level, section: _section, ...kept } = selection;
  const remaining = scenarios.filter(
    (scenario) =>
      scenario.evenWhenGone === true &&
      !items.includes(scenario) &&
      isChosen(scenario, catalog, kept),
  );
  const told = await runAll(remaining, { ...options, selection: kept });
  return settle([...results, ...told], scenarios);
}

/**
 * Where the target died meanwhile of what another scenario sent, and is back, this one is judged again. One that ended it
 * is not: it would end it again, and what it has judged stays. Whoever tells of deaths tells of one that it met itself.
 */
async function judgedAlive(
  { id, evenWhenGone = false }: Pick<Scenario<never>, 'id' | 'evenWhenGone'>,
  deathWatch: DeathWatch,
  once: () => Promise<ScenarioResult>,
): Promise<ScenarioResult> {
  const before = deathWatch.deaths;
  const first = await once();
  if (deathWatch.deaths === before) return first;
  const isDisturbed = deathWatch.killer !== id && deathWatch.gone === undefined;
  if (!isDisturbed && !evenWhenGone) return first;
  const second = await once();
  const { died = first.died } = second;
  return { ...(second.died === undefined ? second : first), ...(died !== undefined && { died }) };
}

function placeOf<World>(
  { alone, dangerous, evenWhenGone, waits }: Scenario<World>,
  together: boolean,
) {
  if (evenWhenGone === true) return 'last';
  if (dangerous === true) return 'late';
  if (!together) return 'between';
  return alone === true ? 'first' : waits === true ? 'soon' : 'between';
}

/** What one run of a scenario shares with the others. */
interface Common {
  readonly lane: Lane;
  readonly key: Uint8Array;
  readonly deathWatch: DeathWatch;
  /** Called with what it has judged when the run is interrupted. */
  readonly left: ((result: ScenarioResult) => void) | undefined;
}

async function runOne<World>(
  scenario: Scenario<World>,
  options: RunOptions<World>,
  { lane, key, deathWatch, left }: Common,
): Promise<ScenarioResult> {
  const { clock, signal, after, limit = LIMIT, selection = {}, together } = options;
  const began = clock.now();
  const recorder = new Recorder(clock, new Redactor(key));
  deathWatch.follow(recorder, scenario.id);
  const judge = new Judge(scenario.checks, recorder.redactor);
  const deselected = selection.safe === true && !scenario.safe;
  const alone = together !== true || scenario.alone === true;
  const turn = new Turn(lane, { clock, limit, signal, alone });
  const made: { world?: World } = {};
  const gone = deathWatch.gone;
  const open: () => Unjudged = deselected
    ? () => ({ status: 'skip', reason: 'It creates something, and --safe was given.' })
    : gone === undefined || scenario.evenWhenGone === true
      ? await play(scenario, options, { judge, recorder, turn, made })
      : () => ({ status: 'untestable', reason: gone });
  await turn.end();
  // As it ended: what it goes on with while the target comes back, or an interruption then, changes nothing of it.
  const verdicts = judge.verdicts();
  const names = selectedNames(scenario, options.catalog, selection);
  const unjudged = names.every((name) => verdicts.has(name)) ? undefined : open();
  const death = signal?.aborted === true ? undefined : await deathWatch.look(recorder);
  const result: ScenarioResult = {
    id: scenario.id,
    title: scenario.title,
    duration: clock.now() - began - turn.idle,
    checks: concludeAll(
      scenario,
      names,
      options.catalog,
      verdicts,
      unjudged && afterDeath(unjudged, death ?? deathWatch.gone),
    ).map((check) => (deselected ? { ...check, deselected } : check)),
    exchanges: recorder.exchanges(),
    ...(death !== undefined && { died: death }),
  };
  if (signal?.aborted === true) left?.(result);
  signal?.throwIfAborted();
  if (!deselected) await after?.(made.world);
  return result;
}

/** What a dead target kept from being judged has one reason. */
function afterDeath(left: Unjudged, death: string | undefined): Unjudged {
  return death === undefined || left.status === 'skip' ? left : { ...left, reason: death };
}

/** A scenario that ends early does so because of what it found last: the rest rests on that. */
function endedAt(
  { id }: { readonly id: string },
  { lastWrong }: Judge,
  recorder: Recorder,
): Unjudged {
  if (lastWrong === undefined) {
    const reason = `No further step followed its last request: ${lastRequest(recorder)}.`;
    return { status: 'untestable', reason };
  }
  const restsOn = `${id}.${lastWrong}`;
  return {
    status: 'skip',
    reason: `It rests on ${restsOn}, after which nothing more could be tried.`,
    restsOn,
  };
}

const INTERRUPTED: Unjudged = { status: 'skip', reason: 'The run was interrupted.' };
const LIMIT = 5 * 60_000;

interface Playing<World> {
  readonly judge: Judge;
  readonly recorder: Recorder;
  readonly turn: Turn;
  readonly made: { world?: World };
}

/**
 * Runs a scenario to its end, or to that of its time, or of the run. Returns what is said of the checks that it has
 * not judged, where there are any.
 */
async function play<World>(
  scenario: Scenario<World>,
  { world, signal, limit = LIMIT }: RunOptions<World>,
  { judge, recorder, turn, made }: Playing<World>,
): Promise<() => Unjudged> {
  const steps = async () => {
    made.world = await world(recorder, scenario, turn);
    await scenario.run(judge, made.world);
    return () => endedAt(scenario, judge, recorder);
  };
  const tooLong = (): Unjudged => ({
    status: 'untestable',
    reason: `It did not end within ${limit / 1000} seconds; its last request: ${lastRequest(recorder)}.`,
  });
  const over = () => (signal?.aborted === true ? INTERRUPTED : tooLong());
  try {
    const left = await Promise.race([steps(), aborted(turn.over)]);
    return left ?? over;
  } catch (error) {
    return turn.over.aborted ? over : () => leftBy(error);
  }
}

function leftBy(error: unknown): Unjudged {
  const known = unjudgedBy(error);
  if (known !== undefined) return known;
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = /([^/\\(\s]+:\d+:\d+)\)?$/m.exec(stack)?.[1] ?? 'unknown place';
  return {
    status: 'untestable',
    reason: `A defect of this suite stopped it (${name} at ${place}: ${message}).`,
  };
}

function lastRequest(recorder: Recorder): string {
  const last = recorder.newest;
  if (last === undefined) return 'none';
  const { request, response } = last;
  const answered = response === undefined ? '' : `, answered ${response.status}`;
  return `${request.method} ${request.url}${answered}`;
}

function concludeAll(
  { id: scenario, checks }: Pick<Scenario<never>, 'checks' | 'id'>,
  names: readonly string[],
  catalog: Catalog,
  verdicts: ReadonlyMap<string, Verdict>,
  unjudged: Unjudged | undefined,
) {
  const open = { passed: 0, failures: [], warnings: [], ...(unjudged && { unjudged }) };
  return names.map((name) => {
    const id = `${scenario}.${name}`;
    return conclude(id, checks[name] ?? name, verdicts.get(name) ?? open, catalog.basis(id));
  });
}

const MAX_FINDINGS = 8;

/** The result of a check. */
function conclude(id: string, title: string, verdict: Verdict, basis: CheckBasis): CheckResult {
  const { failures, warnings, unjudged } = verdict;
  const findings = [...failures, ...warnings];
  const isOpen = findings.length === 0 && verdict.passed === 0;
  return {
    id,
    title,
    level: basis.level,
    section: basis.section,
    ...(basis.attack && { attack: basis.attack }),
    status: statusOf(verdict, basis),
    requirements: basis.requirements,
    sources: basis.sources,
    findings: findings.slice(0, MAX_FINDINGS),
    moreFindings: Math.max(0, findings.length - MAX_FINDINGS),
    ...(unjudged && isOpen && { reason: unjudged.reason }),
    ...(unjudged?.restsOn !== undefined && isOpen && { restsOn: unjudged.restsOn }),
    ...(unjudged?.needs !== undefined && isOpen && { needs: unjudged.needs }),
  };
}

/**
 * A broken must fails; anything weaker, and what another reading of the standards allows, only warns.
 */
function statusOf(
  { failures, warnings, passed, unjudged }: Verdict,
  { level }: CheckBasis,
): Status {
  if (failures.length > 0) return level === 'must' ? 'fail' : 'warn';
  if (warnings.length > 0) return 'warn';
  if (passed > 0) return 'pass';
  return unjudged?.status ?? 'untestable';
}
