import { describeDuration, parseDurationOrZero } from '../../protocol/durations.ts';
import { instant } from '../../protocol/instant.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import type { Finding } from '../../traffic/finding.ts';
import type { AuditRecord } from '../audit/audit.ts';
import { controlProblem, readNames, readOptionalText } from '../controls/read-control.ts';
import type { LiveDecision, LivePart } from './live-part.ts';
import type { LiveSource } from './live-source.ts';
import type {
  LiveActionResult,
  LiveChange,
  LiveParty,
  LiveRegistration,
  LiveSnapshot,
} from './model.ts';

/** How many of the last changes by controls are kept. */
const MOST_CHANGES = 100;
/** How many of the last entries of a registration are kept. */
const MOST_ENTRIES = 50;
/** How many entries are read at a time. */
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

  constructor(part: AuditedPart) {
    this.#part = part;
  }

  /** Reads what was added. Registrations that were listed before it are known from their beginning. */
  async readOn(): Promise<void> {
    for (;;) {
      const entries = await this.#part.controls.audit({ after: this.#latest, limit: PAGE });
      if (entries.length === 0) return;
      for (const entry of entries) this.#take(entry);
    }
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

  #take({ action, actor, at, detail = {}, registrationId: id, seq }: AuditRecord): void {
    // What was read twice at once is taken once: a snapshot that failed leaves readings behind that still go on.
    if (seq <= this.#latest) return;
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

/** The source of one mock, or both, with all that their controls can do. */
export class MocksSource implements LiveSource {
  readonly #listeners = new Set<() => void>();
  readonly #parts: (LivePart & { readonly tail: AuditTail })[] = [];

  /** Adds a mock once it is there. The service comes first, whichever was ready first. */
  join(part: LivePart): void {
    const joined = { ...part, tail: new AuditTail(part) };
    if (part.role === 'service') this.#parts.unshift(joined);
    else this.#parts.push(joined);
    this.changed();
  }

  /** Something is otherwise than before, by no exchange. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  findings(): readonly Finding[] {
    return [];
  }

  async act(name: string, given: JsonObject): Promise<LiveActionResult> {
    try {
      return { ok: true, message: await this.#act(name, given) };
    } finally {
      this.changed();
    }
  }

  async snapshot(): Promise<LiveSnapshot> {
    const parts = await Promise.all(
      this.#parts.map(async (part) => {
        const { service, tail } = part;
        const party = await partyOf(part);
        const listed = (await service?.registrations()) ?? [];
        // Of those that come meanwhile the tail keeps what it reads: they are listed next.
        tail.keep(listed.map(({ id }) => id));
        await tail.readOn();
        const registrations = listed.map((each) => ({ ...each, history: tail.historyOf(each.id) }));
        const mails = (await service?.mails()) ?? [];
        return { party, registrations, mails, changes: tail.changes };
      }),
    );
    return {
      version: 1,
      title: parts.map(({ party }) => party.name).join(' and '),
      has_controls: true,
      parties: parts.map(({ party }) => party),
      registrations: parts.flatMap(({ registrations }) => registrations),
      mails: parts.flatMap(({ mails }) => mails),
      changes: parts.flatMap(({ changes }) => changes),
    };
  }

  async #act(name: string, given: JsonObject): Promise<string> {
    switch (name) {
      case 'clock':
        return this.#advance(given['advance']);
      case 'complete':
      case 'deny':
      case 'revoke':
        return this.#decide(name, readOptionalText(given, 'registration_id') ?? '');
      case 'rotate': {
        const { kid } = await this.#part(given).controls.rotateKeys();
        return `The next key is ${kid}. It signs in 5 minutes.`;
      }
      case 'faults': {
        const { controls } = this.#part(given);
        const { faults } = await controls.setFaults(readNames(given, 'faults'));
        return faults.length === 0 ? 'No fault is on.' : `On: ${faults.join(', ')}.`;
      }
      case 'reset':
        for (const { controls } of this.#parts) await controls.reset();
        return 'All is as it was at the start, except the signing keys: they stay.';
      default:
        throw controlProblem('not_found', 'There is no such button.');
    }
  }

  async #advance(text: unknown): Promise<string> {
    // The mocks of a process have one store, and a store has one clock.
    const [part] = this.#parts;
    const by = typeof text === 'string' ? parseDurationOrZero(text) : undefined;
    if (by === undefined || part === undefined) {
      throw controlProblem('invalid_request', 'Say how far the clock goes: 90s, 11m or 1h30m.');
    }
    await part.controls.moveClock({ advance: by });
    return `The clock was moved by ${describeDuration(by)}.`;
  }

  async #decide(decision: LiveDecision, id: string): Promise<string> {
    const service = this.#parts.find((part) => part.service !== undefined)?.service;
    if (service === undefined) throw controlProblem('not_found', 'There is no service here.');
    const state = await service.decide(decision, id);
    return `The registration is ${state} now.`;
  }

  #part(given: JsonObject): LivePart {
    const role = readOptionalText(given, 'role') ?? '';
    const part = this.#parts.find((each) => each.role === role);
    if (part !== undefined) return part;
    throw controlProblem('not_found', `There is no ${displayText(role, 20)} here.`);
  }
}

/** A mock as the page is told it. */
async function partyOf({ controls, name, role, service }: LivePart): Promise<LiveParty> {
  const { clockOffset, faults, issuer, now } = await controls.state();
  return {
    role,
    name,
    issuer,
    now: instant(now),
    clock_offset_ms: clockOffset,
    faults: controls.faults().map(({ description, name }) => ({
      name,
      description,
      on: faults.includes(name),
    })),
    dialect: service?.dialect ?? null,
  };
}
