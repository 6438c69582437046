/** What an attempt was opened with. */
interface ShownAttempt {
  readonly userCode: string;
  /** Names it in its link. */
  readonly token: string;
}

/** How many are remembered; the oldest is forgotten for one more. */
const MOST = 1_000;

/**
 * The codes and links of the attempts that this process opened last, for whoever runs the mock: the store has
 * their hashes alone. They are in memory and nowhere else; after a restart nobody knows them.
 */
export class ShownAttempts {
  readonly #attempts = new Map<string, ShownAttempt>();

  note(attemptId: string, shown: ShownAttempt): void {
    this.#attempts.set(attemptId, shown);
    const [oldest] = this.#attempts.size > MOST ? this.#attempts.keys() : [];
    if (oldest !== undefined) this.#attempts.delete(oldest);
  }

  find(attemptId: string): ShownAttempt | undefined {
    return this.#attempts.get(attemptId);
  }

  clear(): void {
    this.#attempts.clear();
  }
}
