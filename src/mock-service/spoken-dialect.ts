import {
  type Database,
  type MockCore,
  retryWhileBusy,
  type Transaction,
  writeSetting,
} from '../mock/index.ts';
import type { DialectId } from '../protocol/index.ts';
import { isDialect } from './dialects/index.ts';

/** Its name among the settings of the service. */
const SETTING = 'dialect';

interface SpokenDialectOptions {
  readonly db: Database;
  readonly live: MockCore['live'];
  /** What is spoken where the store says nothing. */
  readonly initial: DialectId;
  /** What was asked for now, whatever the store says. */
  readonly given: DialectId | undefined;
}

/** What a service speaks now. It lies in the store, so that replicas and restarts agree. */
export class SpokenDialect {
  readonly #options: SpokenDialectOptions;

  private constructor(options: SpokenDialectOptions) {
    this.#options = options;
  }

  static async open(options: SpokenDialectOptions): Promise<SpokenDialect> {
    const { db, given, live } = options;
    const spoken = new SpokenDialect(options);
    if (given !== undefined && spoken.now() !== given) {
      await retryWhileBusy(() => db.transaction((tx) => spoken.write(tx, given)));
      await live.refresh();
    }
    return spoken;
  }

  now(): DialectId {
    const stored = this.#options.live.setting(SETTING) ?? '';
    return isDialect(stored) ? stored : this.#options.initial;
  }

  async write(tx: Transaction, dialect: DialectId): Promise<void> {
    await writeSetting(tx, 'service', SETTING, dialect);
  }

  /** Back to what is spoken at the start. */
  async clear(tx: Transaction): Promise<void> {
    if (this.#options.live.setting(SETTING) !== undefined)
      await this.write(tx, this.#options.initial);
  }
}
