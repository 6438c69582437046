import type { Jwk } from '../../protocol/jwk.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import type { SigningAlgorithm } from '../keys/algorithm.ts';
import { KeyRing } from '../keys/key-ring.ts';
import type { Database } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import { createTables, type TableSet } from '../store/tables.ts';
import { type LiveOwner, LiveState } from './live-state.ts';

interface MockCoreOptions {
  /** Default: a fresh one in memory. */
  readonly db?: Database | undefined;
  /** The mock's own tables. */
  readonly schema: TableSet;
  readonly owner: LiveOwner;
  /** The machine's; the mock's own may be ahead of it. */
  readonly clock: Clock;
  readonly random: Random;
  /** Every fault there is. */
  readonly knownFaults: readonly KnownFault[];
  /** Switched on now, whatever the store says. */
  readonly faults?: readonly string[] | undefined;
  /** The longest lifetime of what is signed here, in milliseconds. */
  readonly keepKeysFor: number;
  readonly algorithm?: SigningAlgorithm | undefined;
  /** What else it can sign with. */
  readonly also?: readonly SigningAlgorithm[];
  readonly keys?: readonly Jwk[] | undefined;
}

/** The core of both mocks: a store, a clock that can be moved, faults, and keys. */
export class MockCore {
  readonly db: Database;
  readonly owner: LiveOwner;
  readonly clock: Clock;
  readonly knownFaults: readonly KnownFault[];
  readonly live: LiveState;
  readonly keys: KeyRing;

  private constructor(options: MockCoreOptions, db: Database, live: LiveState, keys: KeyRing) {
    this.db = db;
    this.owner = options.owner;
    this.knownFaults = options.knownFaults;
    this.clock = live.clock;
    this.live = live;
    this.keys = keys;
  }

  /**
   * Makes the tables that are missing.
   * @throws TypeError when a given key is not a private key of one of the algorithms; StoreOpenError.
   */
  static async open(options: MockCoreOptions): Promise<MockCore> {
    const { algorithm, also, clock, faults, keepKeysFor: keepFor, owner, random, schema } = options;
    const db = options.db ?? (await openDatabase());
    await createTables(db, [schema]);
    const live = await LiveState.open({
      db,
      owner,
      clock,
      knownFaults: options.knownFaults.map(({ name }) => name),
      faults,
    });
    const keys = await KeyRing.open({
      db,
      owner,
      clock: live.clock,
      random,
      keepFor,
      algorithm,
      also,
      keys: options.keys,
    });
    return new MockCore(options, db, live, keys);
  }

  /**
   * Reads what another process, or a control, changed in the store. `undefined`: nothing has changed, so
   * there is nothing to wait for.
   */
  follow(): Promise<void> | undefined {
    const { keys, live } = this;
    return live.isCurrent() && keys.isAt(live.keyGeneration) ? undefined : this.#follow();
  }

  async #follow(): Promise<void> {
    await this.live.refresh();
    await this.keys.follow(this.live.keyGeneration);
  }
}

/** A fault that can be switched on, as it is listed. */
export interface KnownFault {
  readonly name: string;
  /** What it is about: a heading of `agent-auth mock fault --list`. `null`: it exists in this process alone. */
  readonly group: string | null;
  /** What an implementation that has it does: a clause in the third person. */
  readonly description: string;
}
