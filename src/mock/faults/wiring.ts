import type { FetchHandler } from '../http/app.ts';
import type { Tamper } from '../http/tamper.ts';
import type { Fault, Wired } from './fault.ts';

export interface WiringOptions<M extends Wired> {
  readonly right: M;
  /** Every fault there is, by name. */
  readonly faults: ReadonlyMap<string, Fault<M>>;
  /** The names of those that are switched on: the same list while nothing changes. */
  readonly on: () => readonly string[];
  /** Reads, before each request, what was changed in the store. `undefined`: nothing was. */
  readonly follow: () => Promise<void> | undefined;
  /** @param prepare what it throws of a request is the answer. */
  readonly app: (mock: M, prepare: (request: Request) => void) => FetchHandler;
}

interface Running<M extends Wired> extends Assembled<M> {
  readonly app: FetchHandler;
}

/** How many sets of faults stay wired: whoever tries all of them out must not fill the memory. */
const MAX_SETS = 64;

/** How a mock is wired: as it should be, or with the faults that are switched on. */
export class Wiring<M extends Wired> {
  readonly #options: WiringOptions<M>;
  /** The sets of faults that were switched on before, by their names. */
  readonly #sets = new Map<string, Running<M>>();
  /** Why what was changed in the store could not be read before a request. */
  readonly #failed = new WeakMap<Request, { readonly error: unknown }>();
  readonly #right: Running<M>;
  #names: readonly string[] = [];
  #current: Running<M>;

  constructor(options: WiringOptions<M>) {
    this.#options = options;
    this.#right = this.#wire([]);
    this.#current = this.#right;
  }

  /** The mock as it is wired now, for parts that outlive a change of faults. */
  now(): M {
    return this.#take().mock;
  }

  /** Reads what was changed in the store before each request, and then answers as the mock is wired. */
  readonly fetch: FetchHandler = (request) => {
    const following = this.#options.follow();
    return following === undefined
      ? this.#answer(request)
      : following.then(
          () => this.#answer(request),
          (error: unknown) => {
            this.#failed.set(request, { error });
            return this.#answer(request);
          },
        );
  };

  #answer(request: Request): Promise<Response> {
    const wired = this.#take();
    return wired === this.#right ? wired.app(request) : tampered(wired, request);
  }

  readonly #prepare = (request: Request): void => {
    const failed = this.#failed.get(request);
    if (failed !== undefined) throw failed.error;
  };

  #take(): Running<M> {
    const names = this.#options.on();
    if (names === this.#names) return this.#current;
    this.#current = names.length === 0 ? this.#right : this.#wireOnce(names);
    this.#names = names;
    return this.#current;
  }

  #wireOnce(names: readonly string[]): Running<M> {
    const key = names.join(' ');
    const known = this.#sets.get(key);
    if (known) return known;
    if (this.#sets.size >= MAX_SETS) this.#sets.clear();
    const wired = this.#wire(names);
    this.#sets.set(key, wired);
    return wired;
  }

  #wire(names: readonly string[]): Running<M> {
    const { app, faults, right } = this.#options;
    const chosen = names.flatMap((name) => faults.get(name) ?? []);
    const assembled = assemble(right, chosen);
    return { ...assembled, app: app(assembled.mock, this.#prepare) };
  }
}

/** Faults may do with a request and its answer whatever can be done with those of `fetch`. */
async function tampered(
  { app, tampers }: Pick<Running<Wired>, 'app' | 'tampers'>,
  request: Request,
): Promise<Response> {
  let response = await app(request);
  for (const tamper of tampers) response = await tamper(response, request);
  return response;
}

/** A mock with some faults, and what its answers go through before they leave. */
export interface Assembled<M extends Wired> {
  readonly mock: M;
  readonly tampers: readonly Tamper[];
}

/** Folds faults over the right mock, each over what the ones before it left. Without any it is the right mock. */
export function assemble<M extends Wired>(right: M, faults: readonly Fault<M>[]): Assembled<M> {
  let mock = right;
  for (const { config, decisions, parts } of faults) {
    if (config) mock = { ...mock, config: following(mock.config, config) };
    if (decisions) mock = { ...mock, decisions: decisions(mock.decisions) };
    if (parts) mock = { ...mock, ...parts(mock) };
  }
  return { mock, tampers: faults.flatMap(({ answers }) => answers ?? []) };
}

/** A configuration as a fault has it, that follows what controls change of the right one: its getters stay such. */
function following<C extends object>(right: C, change: (right: C) => C): C {
  const live = Object.entries(Object.getOwnPropertyDescriptors(right)).filter(([, { get }]) => get);
  const getters = live.map(([name]) => [
    name,
    { enumerable: true, get: () => change(right)[name as keyof C] },
  ]);
  return Object.defineProperties({ ...change(right) }, Object.fromEntries(getters));
}

/** The mock as it is wired now, for parts that are made before it is and outlive a change of its faults. */
export class Current<M extends Wired> {
  #wiring: Wiring<M> | undefined;

  /** @throws TypeError as long as nothing has been wired. */
  readonly now = (): M => {
    if (this.#wiring === undefined) throw new TypeError('The mock is not wired yet.');
    return this.#wiring.now();
  };

  /** Wires the mock from then on. A fault that cannot be wired fails at once, not at the first request. */
  wire(options: WiringOptions<M>): Wiring<M> {
    this.#wiring = new Wiring(options);
    this.#wiring.now();
    return this.#wiring;
  }
}
