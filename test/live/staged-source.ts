import type { LiveSource } from '../../src/mock/live/live-source.ts';
import type {
  LiveActionName,
  LiveActionResult,
  LiveActions,
  LiveSnapshot,
} from '../../src/mock/live/model.ts';
import type { Finding } from '../../src/traffic/index.ts';

/** A source that shows what a test puts there, and keeps what buttons ask for. */
export class StagedSource implements LiveSource {
  readonly acted: { readonly name: LiveActionName; readonly given: unknown }[] = [];
  readonly found = new Map<number, readonly Finding[]>();
  answer: (name: LiveActionName) => LiveActionResult = (name) => ({
    ok: true,
    message: `${name}: done.`,
  });
  /** Until then it has nothing to show. */
  isReady: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  #snapshot: LiveSnapshot;

  constructor(snapshot: LiveSnapshot) {
    this.#snapshot = snapshot;
  }

  show(more: Partial<LiveSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...more };
    for (const listener of this.#listeners) listener();
  }

  async snapshot(): Promise<LiveSnapshot> {
    await this.isReady;
    return this.#snapshot;
  }

  findings(seq: number): readonly Finding[] {
    return this.found.get(seq) ?? [];
  }

  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async act<Name extends LiveActionName>(
    name: Name,
    given: LiveActions[Name],
  ): Promise<LiveActionResult> {
    this.acted.push({ name, given });
    return this.answer(name);
  }
}
