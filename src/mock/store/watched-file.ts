import { type Stats, statSync } from 'node:fs';
import { StoreOpenError } from './errors.ts';

/**
 * A database file in use. SQLite writes on into a file that was removed or replaced, and what it wrote is
 * lost then; it is looked at by its path alone, because closing it anywhere in this process would take
 * SQLite's locks away (https://www.sqlite.org/howtocorrupt.html §2.2).
 */
export class WatchedFile {
  readonly #path: string;
  readonly #first: Stats | undefined;
  #size: number;

  constructor(path: string) {
    this.#path = path;
    this.#first = statSync(path, { throwIfNoEntry: false });
    this.#size = this.#first?.size ?? 0;
  }

  /** @throws StoreOpenError `gone`, or `damaged` when it became shorter: SQLite never makes it so here. */
  check(): void {
    const now = statSync(this.#path, { throwIfNoEntry: false });
    if (now === undefined || now.ino !== this.#first?.ino || now.dev !== this.#first.dev) {
      throw new StoreOpenError('gone', this.#path);
    }
    if (now.size < this.#size) throw new StoreOpenError('damaged', this.#path);
    this.#size = now.size;
  }
}
