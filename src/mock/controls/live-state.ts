import type { Clock } from '../../runtime/ports.ts';
import { column, type Database, type Transaction } from '../store/database.ts';
import { readSetting, writeSetting } from '../store/settings.ts';

/** Whose state it is: both mocks may share a database. */
export type LiveOwner = 'service' | 'provider';

interface LiveStateOptions {
  /** The database, with its tables. */
  readonly db: Database;
  readonly owner: LiveOwner;
  /** The time that the offset is added to. */
  readonly clock: Clock;
  /** Every fault there is. */
  readonly knownFaults: readonly string[];
  /** Switched on now, whatever the store says. */
  readonly faults?: readonly string[] | undefined;
}

/** The name of the clock's offset among the settings that belong to both mocks. */
const SHARED = 'mock';
/** How often this process has changed the settings of a database: both mocks on it follow. */
const changes = new WeakMap<Database, number>();

/**
 * What can be changed while a mock runs: the clock's offset (one for both mocks of a store), the
 * faults, the generation of the keys, and settings of one mock alone. It lies in the store, so that
 * replicas and restarts agree; where other processes write there, each request begins by reading it.
 */
export class LiveState {
  readonly clock: Clock;
  readonly #options: LiveStateOptions;
  #offset = 0;
  #faultSetting = '';
  #faults: readonly string[] = [];
  #keyGeneration = '';
  #settings: ReadonlyMap<string, string> = new Map();
  /** How many changes had been made before the settings were read. */
  #version: number | undefined;
  /** Counts the readings as they begin, and says which of them was taken last. */
  #begun = 0;
  #taken = 0;

  private constructor(options: LiveStateOptions) {
    this.#options = options;
    this.clock = { now: () => options.clock.now() + this.#offset };
  }

  static async open(options: LiveStateOptions): Promise<LiveState> {
    const state = new LiveState(options);
    const { db, faults } = options;
    if (faults) await db.transaction((tx) => state.writeFaults(tx, faults));
    await state.changed();
    return state;
  }

  /** How far the mock's clock is ahead of the machine's, in milliseconds. */
  get offset(): number {
    return this.#offset;
  }

  /** The time without the offset, in milliseconds. */
  machineTime(): number {
    return this.#options.clock.now();
  }

  /** Changes when the keys do. */
  get keyGeneration(): string {
    return this.#keyGeneration;
  }

  /** A setting of the mock's own, as it was read last. */
  setting(name: string): string | undefined {
    return this.#settings.get(`${this.#options.owner}.${name}`);
  }

  /** A setting of the mock's own, as it is in the store. */
  async readSetting(tx: Transaction, name: string): Promise<string | undefined> {
    return readSetting(tx, this.#options.owner, name);
  }

  /** Stores a setting, which takes effect with the next request. */
  async writeSetting(tx: Transaction, name: string, value: string): Promise<void> {
    await writeSetting(tx, this.#options.owner, name, value);
  }

  /**
   * The faults that are switched on, in the order in which they are listed: the same list for as long as
   * it holds the same names.
   */
  listFaults(): readonly string[] {
    return this.#faults;
  }

  /** Whether the store holds what was read last. */
  isCurrent(): boolean {
    const { db } = this.#options;
    return !db.isShared && changes.get(db) === this.#version;
  }

  /** Once a change of this process is stored. */
  async changed(): Promise<void> {
    const { db } = this.#options;
    changes.set(db, (changes.get(db) ?? 0) + 1);
    await this.refresh();
  }

  /** Reads what the store holds now, unless nothing there has changed. */
  async refresh(): Promise<void> {
    if (this.isCurrent()) return;
    const { db, owner } = this.#options;
    this.#begun += 1;
    const turn = this.#begun;
    const version = changes.get(db);
    const rows = await db.read((reader) =>
      reader.all('SELECT owner, name, value FROM settings WHERE owner IN (?, ?)', [SHARED, owner]),
    );
    // One that began later has come before: what it read is at least as new.
    if (turn < this.#taken) return;
    this.#taken = turn;
    const values = new Map(
      rows.map((row) => [`${row['owner']}.${row['name']}`, column.text(row['value'])]),
    );
    this.#offset = Number(values.get(`${SHARED}.clock_offset`) ?? 0);
    this.#takeFaults(values.get(`${owner}.faults`) ?? '');
    this.#keyGeneration = values.get(`${owner}.key_generation`) ?? '';
    this.#settings = values;
    this.#version = version;
  }

  /** Reads the offset of the clock as it is in the store, for a change that rests on it. */
  async readOffset(tx: Transaction): Promise<number> {
    return Number((await readSetting(tx, SHARED, 'clock_offset')) ?? 0);
  }

  /**
   * Stores the offset of the clock. Both mocks of the store follow with their next request; this one once it is
   * refreshed.
   * @param offset in milliseconds.
   */
  async writeOffset(tx: Transaction, offset: number): Promise<void> {
    await writeSetting(tx, SHARED, 'clock_offset', String(offset));
  }

  async writeFaults(tx: Transaction, faults: readonly string[]): Promise<void> {
    await writeSetting(tx, this.#options.owner, 'faults', faults.join(' '));
  }

  /** Names that this process does not know belong to another one on the store. */
  #takeFaults(setting: string): void {
    if (setting === this.#faultSetting) return;
    const names = setting.split(' ');
    this.#faultSetting = setting;
    this.#faults = this.#options.knownFaults.filter((name) => names.includes(name));
  }
}
