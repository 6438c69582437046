import type { Database, Reader, Row, Transaction, Value } from './database.ts';
import {
  type Connection,
  type ConnectOptions,
  connect,
  type Statement,
} from './libsql-connection.ts';
import { toFileError } from './libsql-errors.ts';
import { LibsqlStatements } from './libsql-statements.ts';
import { nextTurn } from './next-turn.ts';
import { WatchedFile } from './watched-file.ts';

/** So many share a commit, at most: other processes wait for it. */
const MOST_TOGETHER = 64;

/** Work that waits for its turn. */
interface Waiting {
  readonly work: (tx: Transaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Embedded SQLite: one connection, its transactions one after another. Those that arrive in one turn of the
 * event loop share a commit, and so one sync of the disk, and are answered after it. None has a savepoint of
 * its own, which takes as long as a short change: should one of them have to be undone, which is seldom, all of
 * them run again with savepoints. `BEGIN IMMEDIATE` for what may write, because a deferred transaction that starts
 * to write late loses to other processes.
 */
export class LibsqlDatabase implements Database {
  readonly #connection: Connection;
  readonly #file: string | undefined;
  readonly #watched: WatchedFile | undefined;
  readonly #statements: LibsqlStatements;
  /** Asks how often others have committed. */
  readonly #dataVersion: Statement | undefined;
  #reads: Waiting[] = [];
  readonly #writes: Waiting[] = [];
  /** Others may join the writes until the next turn. */
  #isCollecting = false;
  #isWorking = false;
  #isClosing = false;
  #isClosed = false;
  /** Some of those that share the next commit have written. */
  #hasChanges = false;
  /** Commits of this connection that may have changed a setting. */
  #settingsCommits = 0;
  readonly #onIdle: (() => void)[] = [];

  private constructor(connection: Connection, file: string | undefined) {
    this.#connection = connection;
    this.#file = file;
    this.#statements = new LibsqlStatements(this.#connection, file);
    if (file === undefined) return;
    this.#watched = new WatchedFile(file);
    this.#dataVersion = this.#connection.prepare('PRAGMA data_version').raw();
  }

  /** @throws StoreOpenError, StoreBusyError */
  static async open(options: ConnectOptions): Promise<LibsqlDatabase> {
    return new LibsqlDatabase(await connect(options), options.file);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#submit(this.#writes, work, () => this.#collect());
  }

  /** Each is. */
  alone<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#submit(this.#reads, work, () => this.#start());
  }

  readOne(sql: string, params?: readonly Value[]): Row | undefined | Promise<Row | undefined> {
    // While a transaction is open, this connection sees what it has written.
    if (this.#isWorking || this.#isClosing || this.#connection.inTransaction) {
      return this.read((reader) => reader.get(sql, params));
    }
    this.#watched?.check();
    return this.#statements.get(sql, params);
  }

  settingsVersion(): number | undefined {
    if (this.#dataVersion === undefined) return this.#settingsCommits;
    if (this.#isClosed) return undefined;
    try {
      const [others] = this.#dataVersion.get([]) as readonly number[];
      return others === undefined ? undefined : others + this.#settingsCommits;
    } catch {
      // Reading the settings fails as well, and says why.
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    this.#connection.close();
  }

  #submit<T>(
    queue: Waiting[],
    work: (tx: Transaction) => Promise<T>,
    start: () => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing) throw new Error('The database is closed.');
      queue.push({ work, resolve: resolve as Waiting['resolve'], reject });
      start();
    });
  }

  #collect(): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    nextTurn(() => {
      this.#isCollecting = false;
      this.#start();
    });
  }

  #start(): void {
    if (!this.#isWorking) void this.#work();
  }

  /** Never rejects: who waits is told what fails. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      if (this.#reads.length > 0) await this.#readAll();
      else if (this.#writes.length > 0 && !this.#isCollecting) await this.#commitGroup();
      else break;
    }
    this.#isWorking = false;
    if (this.#isIdle()) for (const tell of this.#onIdle.splice(0)) tell();
  }

  #isIdle(): boolean {
    return !this.#isWorking && this.#reads.length === 0 && this.#writes.length === 0;
  }

  /** Reads what was committed, all that wait on one snapshot. */
  async #readAll(): Promise<void> {
    const waiting = this.#reads.splice(0);
    // In memory nothing else writes meanwhile.
    if (this.#file !== undefined && !this.#begin('BEGIN DEFERRED', waiting)) return;
    for (const each of waiting) {
      try {
        each.resolve(await this.#run(each));
      } catch (error) {
        each.reject(error);
      }
    }
    if (this.#file !== undefined) this.#rollback();
  }

  /** Each bare, until one fails that wrote after others did: then all of them anew, under savepoints. */
  async #commitGroup(): Promise<void> {
    if (!this.#begin('BEGIN IMMEDIATE', this.#writes)) return;
    const group: Waiting[] = [];
    let answers: (() => void)[] = [];
    let isBare = true;
    this.#statements.hasWrittenSettings = false;
    this.#hasChanges = false;
    try {
      for (let at = 0; at < MOST_TOGETHER; at += 1) {
        const next = group[at] ?? this.#writes.shift();
        if (next === undefined) break;
        group[at] = next;
        const answer = await (isBare ? this.#runBare(next) : this.#runUnderSavepoint(next));
        if (answer === undefined) {
          this.#beginAnew();
          answers = [];
          isBare = false;
          at = -1;
        } else answers.push(answer);
      }
      this.#exec(isBare && !this.#hasChanges ? 'ROLLBACK' : 'COMMIT');
    } catch (error) {
      this.#rollback();
      for (const { reject } of group) reject(error);
      return;
    }
    if (this.#statements.hasWrittenSettings) this.#settingsCommits += 1;
    for (const answer of answers) answer();
  }

  /** `undefined`: what it wrote before it failed can only be undone together with what others wrote. */
  async #runBare(waiting: Waiting): Promise<(() => void) | undefined> {
    this.#statements.hasWritten = false;
    try {
      const value = await this.#run(waiting);
      this.#hasChanges ||= this.#statements.hasWritten;
      return () => waiting.resolve(value);
    } catch (error) {
      // Some failures, as a full disk, have ended the transaction of all.
      if (!this.#connection.inTransaction) throw error;
      if (this.#statements.hasWritten) {
        if (this.#hasChanges) return undefined;
        this.#beginAnew();
      }
      return () => waiting.reject(error);
    }
  }

  #beginAnew(): void {
    this.#exec('ROLLBACK');
    this.#exec('BEGIN IMMEDIATE');
    this.#statements.hasWrittenSettings = false;
  }

  /** Its failure undoes its own changes, and leaves those of the others. */
  async #runUnderSavepoint(waiting: Waiting): Promise<() => void> {
    this.#exec('SAVEPOINT one');
    try {
      const value = await this.#run(waiting);
      this.#exec('RELEASE one');
      return () => waiting.resolve(value);
    } catch (error) {
      if (!this.#connection.inTransaction) throw error;
      this.#exec('ROLLBACK TO one');
      this.#exec('RELEASE one');
      return () => waiting.reject(error);
    }
  }

  async #run({ work }: Waiting): Promise<unknown> {
    const tx = new LibsqlTransaction(this.#statements);
    try {
      return await work(tx);
    } finally {
      tx.end();
    }
  }

  /** When it fails, all that wait are told. */
  #begin(begin: 'BEGIN IMMEDIATE' | 'BEGIN DEFERRED', waiting: Waiting[]): boolean {
    try {
      this.#watched?.check();
      this.#rollback();
      this.#exec(begin);
      return true;
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
      return false;
    }
  }

  /** Some failures have ended the transaction already; on a bad disk this fails, and is tried again later. */
  #rollback(): void {
    if (!this.#connection.inTransaction) return;
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // The error to report is why the transaction failed.
    }
  }

  /** For what is not prepared: the driver is as fast with these as with prepared statements. */
  #exec(sql: string): void {
    try {
      this.#connection.exec(sql);
    } catch (error) {
      throw toFileError(error, this.#file);
    }
  }
}

class LibsqlTransaction implements Transaction {
  readonly skipLocked = '';
  readonly #statements: LibsqlStatements;
  #isOpen = true;

  constructor(statements: LibsqlStatements) {
    this.#statements = statements;
  }

  end(): void {
    this.#isOpen = false;
  }

  async get(sql: string, params?: readonly Value[]): Promise<Row | undefined> {
    return this.#open().get(sql, params);
  }

  async all(sql: string, params?: readonly Value[]): Promise<readonly Row[]> {
    return this.#open().all(sql, params);
  }

  async run(sql: string, params?: readonly Value[]): Promise<number> {
    return this.#open().run(sql, params);
  }

  later(sql: string, params?: readonly Value[]): void {
    this.#open().run(sql, params);
  }

  /** Transactions run one after another: nothing comes between. */
  async getForUpdate(sql: string, params?: readonly Value[]): Promise<Row | undefined> {
    return this.#open().get(sql, params);
  }

  async allForUpdate(sql: string, params?: readonly Value[]): Promise<readonly Row[]> {
    return this.#open().all(sql, params);
  }

  async lock(): Promise<void> {}

  async lockSettings(): Promise<void> {}

  async lockTables(): Promise<void> {}

  /** Nobody waits for anybody. */
  atEnd(work: () => Promise<void>): Promise<void> {
    return work();
  }

  #open(): LibsqlStatements {
    if (!this.#isOpen) throw new Error('The transaction has ended.');
    return this.#statements;
  }
}
