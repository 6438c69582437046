import { instant } from '../../protocol/instant.ts';
import type { AuditRecord } from '../audit/audit.ts';
import type { LivePart } from './live-part.ts';
import type { LiveChange } from './model.ts';

/** So many of the last ones are kept, of each mock. */
const KEPT = 100;
/** So many entries of an audit trail are read at a time. */
const PAGE = 1_000;

interface ChangedPart extends Pick<LivePart, 'role'> {
  readonly controls: Pick<LivePart['controls'], 'audit'>;
}

/** What controls changed at a mock, by its audit trail. It reads on where it was: the trail may be long. */
export class ControlChanges {
  readonly #part: ChangedPart;
  #changes: readonly LiveChange[] = [];
  #latest = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(part: ChangedPart) {
    this.#part = part;
  }

  /** Oldest first. */
  async read(): Promise<readonly LiveChange[]> {
    const reading = this.#reading.catch(() => {}).then(() => this.#readOn());
    this.#reading = reading;
    await reading;
    return this.#changes;
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const after = this.#latest;
      const entries = await this.#part.controls.audit({ after, limit: PAGE });
      const last = entries.at(-1);
      if (last === undefined) return;
      const reset = entries.findLastIndex(({ action }) => action === 'reset');
      // What was before a reset is no longer so.
      const before = reset < 0 ? this.#changes : [];
      const made = entries
        .slice(Math.max(0, reset))
        .filter(({ actor }) => actor === 'control')
        .map((entry) => this.#changeOf(entry));
      this.#changes = [...before, ...made].slice(-KEPT);
      this.#latest = last.seq;
    }
  }

  #changeOf({ action, at, detail = {}, registrationId, seq }: AuditRecord): LiveChange {
    const { role } = this.#part;
    return {
      seq,
      at: instant(at),
      role,
      action,
      registration_id: registrationId ?? null,
      detail,
    };
  }
}
