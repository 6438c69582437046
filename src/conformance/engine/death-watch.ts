import type { Clock, Sleep } from '../../runtime/index.ts';
import type { Answer } from '../http/answer.ts';
import type { Begun, Recorder, Taken } from '../http/recorder.ts';
import type { Judge } from './judge.ts';

/** A time at which the target stopped listening. */
export interface Death {
  /** The request that it did not survive: the last one that reached it, or what it left unanswered just before. */
  readonly request: Begun | undefined;
  /** A sentence that names the request, and what became of the target. */
  readonly sentence: string;
}

/** How a target that stopped listening is waited for: its supervisor, or its developer, starts it again. */
export interface Revival {
  readonly sleep: Sleep;
  /** How long it is waited for. Milliseconds. */
  readonly within: number;
  /** Called when it listens again: a new process has forgotten what it was told. */
  readonly onBack?: () => Promise<void>;
}

interface DeathWatchOptions {
  readonly clock: Clock;
  /** Whether the target listens. */
  readonly isAlive: (() => Promise<boolean>) | undefined;
  /** Where it listens. That nobody takes a connection there is a death, also of a target that is back already. */
  readonly origin?: string | undefined;
  readonly revival: Revival | undefined;
  readonly onDeath?: ((death: Death) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Between the first looks whether it listens again; each next one waits longer. Milliseconds. */
const FIRST_LOOK = 100;
const LONGEST_PAUSE = 1000;

/** Sees when the target stops listening, and waits until it is back. */
export class DeathWatch {
  readonly #options: DeathWatchOptions;
  readonly #recorders = new Map<Recorder, string>();
  #deaths = 0;
  #killer: string | undefined;
  #gone: string | undefined;

  constructor(options: DeathWatchOptions) {
    this.#options = options;
  }

  /** Why nothing more can be asked: a sentence, once it has not come back. */
  get gone(): string | undefined {
    return this.#gone;
  }

  /** How often it stopped listening so far. */
  get deaths(): number {
    return this.#deaths;
  }

  /** The id of the scenario that sent the request of the last death. */
  get killer(): string | undefined {
    return this.#killer;
  }

  /** What a scenario sends may end the target when another one has its turn. */
  follow(recorder: Recorder, id: string): void {
    this.#recorders.set(recorder, id);
  }

  /**
   * Looks whether the target survived what a scenario sent, and where not waits until it listens again.
   * @returns A sentence of its death; undefined while it listens.
   */
  async look(recorder: Recorder): Promise<string | undefined> {
    const { isAlive, onDeath, origin } = this.#options;
    if (isAlive === undefined || this.#gone !== undefined) return undefined;
    const unanswered = recorder.firstUnanswered;
    if (unanswered === undefined) return undefined;
    if ((await isAlive()) && !recorder.wasRefusedAt(origin)) return undefined;
    this.#deaths += 1;
    const [last, before] = this.#lastTaken(unanswered);
    const { taken, id } = last ?? {};
    this.#killer = id;
    // A target may die of a request that a scenario gave up on, after that scenario has seen it alive.
    const isOpen = before?.taken.isAnswered === false && before.id !== id;
    const suspect = isOpen ? before.taken : undefined;
    const what = `The target stopped answering after ${named(taken, suspect)}`;
    const failure = await this.#whyNotBack(isAlive);
    const sentence = failure === undefined ? `${what}, and came back.` : `${what}${failure}.`;
    if (failure !== undefined) this.#gone = sentence;
    // An odd one is the likelier cause, whatever was open before it.
    const cause = taken?.odd === undefined ? (suspect ?? taken) : taken;
    onDeath?.({ request: cause?.begun, sentence });
    return sentence;
  }

  /** What was taken until an instant, of whichever scenario: the last one first. */
  #lastTaken({ at, to }: { readonly at: number; readonly to: string }) {
    return [...this.#recorders]
      .flatMap(([recorder, id]) => recorder.taken(to, at).map((taken) => ({ taken, id })))
      .toSorted((a, b) => a.taken.at - b.taken.at)
      .toReversed();
  }

  /** What follows the sentence of a death; undefined where the target is back. */
  async #whyNotBack(isAlive: () => Promise<boolean>): Promise<string | undefined> {
    const { clock, revival, signal } = this.#options;
    if (revival === undefined) return '';
    const { sleep, within, onBack } = revival;
    const late = `, and was not back within ${within / 1000} s`;
    const end = clock.now() + within;
    for (let pause = FIRST_LOOK; clock.now() < end; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      await sleep(pause, signal).catch(() => undefined);
      if (signal?.aborted === true) return '';
      if (!(await isAlive())) continue;
      // One that dies of that is waited for again.
      if (await succeeds(onBack)) return undefined;
    }
    return late;
  }
}

async function succeeds(tell: (() => Promise<void>) | undefined): Promise<boolean> {
  try {
    await tell?.();
    return true;
  } catch {
    return false;
  }
}

/** A process may still answer others before it ends of what a request began. */
function named(taken: Taken | undefined, suspect: Taken | undefined): string {
  if (taken === undefined) return 'what prepared the run';
  const request = written(taken);
  if (taken.isAnswered) return `it answered ${request}, of that or of a request just before it`;
  if (suspect === undefined) return request;
  return `${request}, of that or of what it left unanswered just before it, ${written(suspect)}`;
}

function written({ begun, odd }: Taken): string {
  return `${begun.method} ${begun.url}${odd === undefined ? '' : ` (${odd})`}`;
}

/** The deaths of a target, as a scenario tells of them. */
export class ToldDeaths {
  readonly #deaths: readonly Death[];
  readonly #recorder: Recorder;

  /** @param deaths Of the run; grows with it. */
  constructor(deaths: readonly Death[], recorder: Recorder) {
    this.#deaths = deaths;
    this.#recorder = recorder;
  }

  /** The deaths so far, each with the number of an exchange that shows its request, which is not sent again. */
  list(): readonly { readonly sentence: string; readonly exchange: number | undefined }[] {
    return this.#deaths.map(({ request, sentence }) => ({
      sentence,
      exchange: request && this.#recorder.keep(request, sentence),
    }));
  }
}

/** The scenario that tells of deaths, for each role. It stands last. */
export const STAYS_UP = {
  title: 'It goes on answering, whatever it is sent',
  checks: { answers: 'No request ends the process, or keeps it from taking connections.' },
  safe: true,
  costly: true,
  evenWhenGone: true,
} as const;

/**
 * A request that the target did not survive is a finding each.
 * @param ask Sends something that it always answers.
 */
export async function judgeStaysUp(
  judge: Judge<'answers'>,
  deaths: ToldDeaths,
  ask: () => Promise<Answer>,
): Promise<void> {
  const told = deaths.list();
  for (const { sentence, exchange } of told) judge.expect('answers', false, sentence, { exchange });
  if (told.length === 0) judge.expect('answers', true, await ask());
}
