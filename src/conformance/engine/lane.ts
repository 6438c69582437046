/**
 * The lane in which scenarios run: as many at a time as it has places. Whoever waits leaves it, so that another runs
 * meanwhile, and comes back before those that have not begun.
 */
export class Lane {
  #free: number;
  readonly #back: (() => void)[] = [];
  readonly #new: (() => void)[] = [];
  /** What is called when the run is interrupted: one listener serves all that wait. */
  readonly stops = new Set<() => void>();

  constructor(signal?: AbortSignal, places = 1) {
    this.#free = places;
    const stop = () => {
      for (const each of this.stops) each();
    };
    signal?.addEventListener('abort', stop, { once: true });
  }

  /** Resolves when the caller has a place. */
  enter(): Promise<void> {
    return this.#take(this.#new);
  }

  /** Resolves when the caller has it again. */
  comeBack(): Promise<void> {
    return this.#take(this.#back);
  }

  leave(): void {
    const next = this.#back.shift() ?? this.#new.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  #take(queue: (() => void)[]): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => queue.push(resolve));
    this.#free -= 1;
    return Promise.resolve();
  }
}

interface Counts {
  readonly done: number;
  readonly total: number;
  /** How many others have begun, and wait. */
  readonly waiting?: number;
}

/**
 * When a scenario begins: one that waits begins soon, so that the others run meanwhile; late and last ones when all
 * before them have ended.
 */
const PLACES = ['first', 'soon', 'between', 'late', 'last'] as const;

type Place = (typeof PLACES)[number];

interface LaneRun<Item, Result> {
  readonly lane: Lane;
  /** The items, in the order of the results. */
  readonly items: readonly Item[];
  /** When it begins. */
  readonly placeOf: (item: Item) => Place;
  /** Called when the item has a place. `tell` is given what an interrupted item leaves. */
  readonly run: (item: Item, tell: (left: Result) => void) => Promise<Result>;
  readonly signal: AbortSignal | undefined;
  /** Called with an item that begins or, when all have, one that waits; undefined at the end. */
  readonly onProgress: (item: Item | undefined, counts: Counts) => void;
  /** Called in the order of the items. */
  readonly onResult: ((result: Result) => void) | undefined;
}

/**
 * Runs each item when there is a place for it. Rejects as the first item does that rejects, or with the signal's
 * reason, when all that had begun have ended.
 */
export async function runInLane<Item, Result>(
  options: LaneRun<Item, Result>,
): Promise<readonly Result[]> {
  const { lane, items, placeOf, run, signal, onProgress } = options;
  const told = new Told(items, options.onResult);
  const running = new Map<Item, Promise<unknown>>();
  const failures: unknown[] = [];
  const interrupted = aborted(signal);
  const isOver = () => signal?.aborted === true || failures.length > 0;
  let [done, isWaiting] = [0, false];
  const show = (item: Item | undefined) => {
    const waiting = [...running.keys()].filter((each) => each !== item).length;
    onProgress(item, { done, total: items.length, ...(waiting > 0 && { waiting }) });
  };
  const begin = (item: Item) => {
    show(item);
    const ended = async () => {
      try {
        told.add(item, await run(item, (left) => told.add(item, left)));
      } catch (error) {
        failures.push(error);
      }
      running.delete(item);
      done += 1;
      const [next] = running.keys();
      if (isWaiting && next !== undefined && !isOver()) show(next);
      lane.leave();
    };
    running.set(item, Promise.resolve());
    running.set(item, ended());
  };
  const wait = async () => {
    isWaiting = true;
    await Promise.all(running.values());
    isWaiting = false;
  };
  for (const place of PLACES) {
    if (place === 'late' || place === 'last') await wait();
    for (const item of items.filter((each) => placeOf(each) === place)) {
      if (isOver()) break;
      await Promise.race([lane.enter(), interrupted]);
      if (!isOver()) begin(item);
      // Those that wait still come back, unless the run was interrupted.
      else if (signal?.aborted !== true) lane.leave();
    }
  }
  await wait();
  told.rest();
  signal?.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  show(undefined);
  return told.results;
}

/** Results come as they may, and are told in the order of their items. */
class Told<Item, Result> {
  readonly #results = new Map<Item, Result>();
  readonly #items: readonly Item[];
  readonly #tell: ((result: Result) => void) | undefined;
  #next = 0;

  constructor(items: readonly Item[], tell: ((result: Result) => void) | undefined) {
    this.#items = items;
    this.#tell = tell;
  }

  get results(): readonly Result[] {
    return this.#items.flatMap((item) => this.#results.get(item) ?? []);
  }

  add(item: Item, result: Result): void {
    this.#results.set(item, result);
    while (this.#next < this.#items.length && this.#tellNext()) this.#next += 1;
  }

  /** What came after one that never will. */
  rest(): void {
    for (; this.#next < this.#items.length; this.#next += 1) this.#tellNext();
  }

  #tellNext(): boolean {
    const result = this.#results.get(this.#items[this.#next] as Item);
    if (result === undefined) return false;
    this.#tell?.(result);
    return true;
  }
}

/** Never resolves where there is no signal. */
export function aborted(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve(undefined);
    signal?.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
