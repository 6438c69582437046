import type { JWK } from 'jose';
import type { Clock, Random } from '../../runtime/index.ts';
import { transportProblem } from '../http/index.ts';
import { KeyRing, type SigningAlgorithm } from '../keys/index.ts';
import type { Database } from '../store/index.ts';
import { isControl } from './control-paths.ts';
import { type Faults, type LiveOwner, LiveState } from './live-state.ts';

export interface MockCoreOptions<F extends string> {
  /** Migrated. */
  readonly db: Database;
  readonly owner: LiveOwner;
  /** The machine's; the mock's own may be ahead of it. */
  readonly clock: Clock;
  readonly random: Random;
  readonly knownFaults: readonly F[];
  /** Switched on now, whatever the store says. */
  readonly faults?: readonly F[] | undefined;
  /** How long what is signed here is good at most, in milliseconds. */
  readonly keepKeysFor: number;
  readonly algorithm?: SigningAlgorithm | undefined;
  readonly keys?: readonly JWK[] | undefined;
}

/** What both mocks are made around: a store, a clock that can be moved, faults, and keys. */
export class MockCore<F extends string> {
  readonly db: Database;
  readonly owner: LiveOwner;
  readonly clock: Clock;
  readonly faults: Faults<F>;
  readonly knownFaults: readonly F[];
  readonly live: LiveState<F>;
  readonly keys: KeyRing;

  private constructor(options: MockCoreOptions<F>, live: LiveState<F>, keys: KeyRing) {
    this.db = options.db;
    this.owner = options.owner;
    this.knownFaults = options.knownFaults;
    this.clock = live.clock;
    this.faults = live.faults;
    this.live = live;
    this.keys = keys;
  }

  /** @throws TypeError when a given key is not a private key of ES256 or EdDSA. */
  static async open<F extends string>(options: MockCoreOptions<F>): Promise<MockCore<F>> {
    const { algorithm, db, faults, keepKeysFor: keepFor, keys: given, owner, random } = options;
    const live = await LiveState.open({
      db,
      owner,
      clock: options.clock,
      knownFaults: options.knownFaults,
      ...(faults && { faults }),
    });
    const keys = await KeyRing.open({
      db,
      owner,
      clock: live.clock,
      random,
      keepFor,
      ...(algorithm && { algorithm }),
      ...(given && { keys: given }),
    });
    return new MockCore(options, live, keys);
  }

  /** Takes up what another process, or a control, changed in the store. */
  async follow(): Promise<void> {
    await this.live.refresh();
    await this.keys.follow(this.live.keyGeneration);
  }

  /** Before each request. Throws the answer where the mock is told to have none. */
  async prepare(request: Request): Promise<void> {
    await this.follow();
    const away = this.live.listFaults().some((name) => name === 'unavailable');
    if (away && !isControl(request)) throw transportProblem('unavailable');
  }
}
