import type { ExchangeLog } from '../../exchanges/exchange-log.ts';
import type { Finding } from '../../exchanges/finding.ts';
import { describeDuration, parseDurationOrZero } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import type { Clock, Sleep } from '../../runtime/ports.ts';
import { controlProblem } from '../controls/control-problem.ts';
import { readNames, readOptionalText } from '../controls/read-control.ts';
import { Changes } from './changes.ts';
import { ControlChanges } from './control-changes.ts';
import type { LiveDecision, LivePart, LiveService } from './live-part.ts';
import { liveParty } from './live-party.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveActionName, LiveActionResult, LiveActions, LiveSnapshot } from './model.ts';

interface MocksSourceOptions {
  readonly exchanges: ExchangeLog;
  /** Of the machine. */
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** What there is is read at most this often, in milliseconds, for all who look together. */
const PAUSE = 500;
/** And at least this often while somebody looks: another process on the store changes it, too. */
const BEAT = 2_000;

const DECIDED: Readonly<Record<LiveDecision, string>> = {
  complete: 'Completed.',
  deny: 'Denied.',
  revoke: 'Ended.',
};

/** One mock, or both, with all that their controls can do. */
export class MocksSource implements LiveSource {
  readonly #options: MocksSourceOptions;
  readonly #changes: Changes;
  readonly #parts: LivePart[] = [];
  readonly #controlChanges = new Map<LivePart, ControlChanges>();
  #taken: { readonly at: number; readonly snapshot: Promise<LiveSnapshot> } | undefined;

  constructor(options: MocksSourceOptions) {
    const { clock, exchanges, sleep } = options;
    this.#options = options;
    this.#changes = new Changes({
      clock,
      sleep,
      pause: PAUSE,
      beat: BEAT,
      watch: (changed) => exchanges.follow(changed),
    });
  }

  /** Adds a mock once it is there. The service comes first, whichever was ready first. */
  join(part: LivePart): void {
    this.#controlChanges.set(part, new ControlChanges(part));
    if (part.role === 'service') this.#parts.unshift(part);
    else this.#parts.push(part);
    this.changed();
  }

  /** Something may be otherwise than before, by no exchange. */
  changed(): void {
    this.#changes.changed();
  }

  /** A mock forgot what was, whoever had it do so. */
  wasReset(): void {
    this.#taken = undefined;
    this.changed();
  }

  follow(listener: () => void): () => void {
    return this.#changes.follow(listener);
  }

  findings(): readonly Finding[] {
    return [];
  }

  snapshot(): Promise<LiveSnapshot> {
    const now = this.#options.clock.now();
    if (this.#taken !== undefined && now - this.#taken.at < PAUSE) return this.#taken.snapshot;
    const snapshot = this.#take();
    const taken = { at: now, snapshot };
    this.#taken = taken;
    snapshot.catch(() => {
      if (this.#taken === taken) this.#taken = undefined;
    });
    return snapshot;
  }

  async act<Name extends LiveActionName>(
    name: Name,
    given: LiveActions[Name],
  ): Promise<LiveActionResult> {
    try {
      // What a page sends is what it says only once it was read.
      return { ok: true, message: await this.#act(name, given as JsonObject) };
    } finally {
      this.#taken = undefined;
      this.changed();
    }
  }

  async #take(): Promise<LiveSnapshot> {
    const parts = [...this.#parts];
    const service = parts.find((part) => part.service !== undefined)?.service;
    const parties = await Promise.all(parts.map(liveParty));
    const changes = await Promise.all(
      parts.map(async (part) => (await this.#controlChanges.get(part)?.read()) ?? []),
    );
    return {
      version: 1,
      title: parts.map(({ name }) => name).join(' and '),
      parties,
      registrations: (await service?.registrations()) ?? [],
      mails: (await service?.mails()) ?? [],
      changes: changes.flat().sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    };
  }

  async #act(name: LiveActionName, given: JsonObject): Promise<string> {
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
        this.wasReset();
        return 'All is as it was at the start, except the signing keys: they stay.';
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
    const state = await this.#service().decide(decision, id);
    return `${DECIDED[decision]} The registration is ${state} now.`;
  }

  #service(): LiveService {
    const service = this.#parts.find((part) => part.service !== undefined)?.service;
    if (service !== undefined) return service;
    throw controlProblem('not_found', 'There is no service here.');
  }

  #part(given: JsonObject): LivePart {
    const role = readOptionalText(given, 'role') ?? '';
    const part = this.#parts.find((each) => each.role === role);
    if (part !== undefined) return part;
    throw controlProblem('not_found', `There is no ${displayText(role, 20)} here.`);
  }
}
