import type { Clock } from '../../runtime/ports.ts';

/** The time at services and providers, as the agent of this run knows it: what is printed is judged by it. */
export class ServerClocks {
  readonly #local: Clock;
  #agent: { now(issuer: string): number } | undefined;

  constructor(local: Clock) {
    this.#local = local;
  }

  follow(agent: { now(issuer: string): number }): void {
    this.#agent = agent;
  }

  /** Milliseconds since the epoch, on the clock of `issuer`. */
  now(issuer: string): number {
    return this.#agent?.now(issuer) ?? this.#local.now();
  }
}
