import { instant } from '../../protocol/instant.ts';
import type { AuditRecord } from '../audit/audit.ts';
import type { LivePart } from './live-part.ts';
import type { LiveChange, LiveRegistration } from './model.ts';

/** So many of the last changes by controls are kept. */
const MOST_CHANGES = 100;
/** So many of the last entries of a registration are kept. */
const MOST_ENTRIES = 50;
/** So many entries are read at a time. */
const PAGE = 1_000;

interface AuditedPart extends Pick<LivePart, 'role'> {
  readonly controls: Pick<LivePart['controls'], 'audit'>;
}

type History = LiveRegistration['history'];

/** What the audit trail of a mock says of late. It is read on where it was: the trail may be long. */
export class AuditTail {
  readonly #part: AuditedPart;
  readonly #histories = new Map<string, History>();
  #changes: readonly LiveChange[] = [];
  #latest = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(part: AuditedPart) {
    this.#part = part;
  }

  /** Reads what was added. Registrations that are listed after it are known from their beginning. */
  async readOn(): Promise<void> {
    const reading = this.#reading.catch(() => {}).then(() => this.#readOn());
    this.#reading = reading;
    await reading;
  }

  /** What controls changed, oldest first. */
  get changes(): readonly LiveChange[] {
    return this.#changes;
  }

  /** What became of a registration, oldest first. */
  historyOf(id: string): History {
    return this.#histories.get(id) ?? [];
  }

  /** Forgets the registrations that are too old to be listed. */
  keep(ids: readonly string[]): void {
    for (const id of this.#histories.keys()) if (!ids.includes(id)) this.#histories.delete(id);
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const entries = await this.#part.controls.audit({ after: this.#latest, limit: PAGE });
      if (entries.length === 0) return;
      for (const entry of entries) this.#take(entry);
    }
  }

  #take({ action, actor, at, detail = {}, registrationId: id, seq }: AuditRecord): void {
    this.#latest = seq;
    const when = instant(at);
    if (id !== undefined) {
      const history = [...this.historyOf(id), { at: when, actor, action }];
      this.#histories.set(id, history.slice(-MOST_ENTRIES));
    }
    if (actor !== 'control') return;
    // What was before a reset is no longer so.
    const before = action === 'reset' ? [] : this.#changes;
    const { role } = this.#part;
    const change = { seq, at: when, role, action, registration_id: id ?? null, detail };
    this.#changes = [...before, change].slice(-MOST_CHANGES);
  }
}
