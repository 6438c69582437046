import type { AuditRecord } from '../../mock/audit/audit.ts';

/** So many of the last entries of a registration are kept. */
const KEPT = 50;

/** What the audit trail says of some registrations. It reads on where it was: the trail may be long. */
export class Histories {
  readonly #read: (after: number) => Promise<readonly AuditRecord[]>;
  readonly #byId = new Map<string, AuditRecord[]>();
  #latest = 0;
  #reading: Promise<void> = Promise.resolve();

  /** @param read the next entries after the one with this number; none at the end. */
  constructor(read: (after: number) => Promise<readonly AuditRecord[]>) {
    this.#read = read;
  }

  /** Reads what was added. Registrations that are listed after it are known from their beginning. */
  async readOn(): Promise<void> {
    const reading = this.#reading.catch(() => {}).then(() => this.#readOn());
    this.#reading = reading;
    await reading;
  }

  of(id: string): readonly AuditRecord[] {
    return this.#byId.get(id) ?? [];
  }

  /** Forgets all others, which are too old to be listed. */
  keep(ids: readonly string[]): void {
    const kept = new Set(ids);
    for (const id of this.#byId.keys()) if (!kept.has(id)) this.#byId.delete(id);
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const entries = await this.#read(this.#latest);
      const last = entries.at(-1);
      if (last === undefined) return;
      for (const entry of entries) this.#take(entry);
      this.#latest = last.seq;
    }
  }

  #take(entry: AuditRecord): void {
    const { registrationId: id } = entry;
    if (id === undefined) return;
    const known = this.#byId.get(id) ?? [];
    known.push(entry);
    if (known.length > KEPT) known.shift();
    this.#byId.set(id, known);
  }
}
