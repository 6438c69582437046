import type { Explained, Finding } from '../../exchanges/index.ts';
import type { LiveSource } from '../../mock/live/live-source.ts';
import type { LiveRegistration } from '../../mock/live/model.ts';
import { instant } from '../../protocol/instant.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { specificationState } from '../../protocol/states.ts';

/** So many registrations are shown, and so many of the last steps of each. */
const MOST_REGISTRATIONS = 100;
const MOST_STEPS = 50;

/** What the live view of the proxy shows beside exchanges: what is wrong with them, and what they led to. */
export class SeenTraffic {
  readonly #kept: number;
  readonly #findings = new Map<number, readonly Finding[]>();
  readonly #registrations = new Map<string, LiveRegistration>();
  readonly #listeners = new Set<(seq?: number) => void>();

  /** @param kept so many exchanges are shown. */
  constructor(kept: number) {
    this.#kept = kept;
  }

  /** Takes an exchange, and what was found in it. */
  note(explained: Explained, found: readonly Finding[]): void {
    const { seq } = explained.exchange;
    this.#register(explained);
    for (const finding of found) {
      this.#findings.set(finding.seq, [...(this.#findings.get(finding.seq) ?? []), finding]);
      for (const listener of this.#listeners) listener(finding.seq);
    }
    for (const old of this.#findings.keys()) {
      if (old > seq - this.#kept) break;
      this.#findings.delete(old);
    }
  }

  readonly findings = (seq: number): readonly Finding[] => this.#findings.get(seq) ?? [];

  /** Newest first. */
  readonly registrations = (): readonly LiveRegistration[] =>
    [...this.#registrations.values()].reverse();

  readonly follow: LiveSource['follow'] = (listener) => {
    // One that listens twice is told twice.
    const own = (seq?: number) => listener(seq);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  };

  #register({ exchange, from, meaning, registrationId: id, state, step }: Explained): void {
    if (id === undefined || state === undefined) return;
    const before = this.#registrations.get(id);
    if (before?.state === state) return;
    const at = instant(exchange.at);
    const type = before?.type ?? (step === 'register' ? typeIn(exchange.request.body) : '');
    const entry = { at, actor: from, action: meaning === '' ? step : meaning };
    this.#registrations.set(id, {
      id,
      type,
      state,
      specification_state: specificationState(state, type),
      email: null,
      agent_name: null,
      created_at: before?.created_at ?? at,
      // Only the service knows them for sure.
      ends_at: null,
      attempt: null,
      history: [...(before?.history ?? []), entry].slice(-MOST_STEPS),
    });
    const [oldest] =
      this.#registrations.size > MOST_REGISTRATIONS ? this.#registrations.keys() : [];
    if (oldest !== undefined) this.#registrations.delete(oldest);
    for (const listener of this.#listeners) listener();
  }
}

/** As the agent sent it; dialects that name it otherwise show none. */
function typeIn(body: unknown): string {
  const type = isJsonObject(body) ? body['type'] : undefined;
  return typeof type === 'string' ? type : '';
}
