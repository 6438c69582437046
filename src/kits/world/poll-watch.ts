import type { TestApp } from './test-network.ts';
import type { UserScript } from './user-script.ts';
import { Waiting } from './waiting.ts';

/**
 * Sees what agents poll for, whoever they are and whatever they wait with, and lets the users act before the mock
 * answers: so that a poll finds what its user has done.
 */
export class PollWatch {
  readonly waiting = new Waiting();
  readonly #scripts: UserScript[] = [];
  #isActing = false;

  follow(script: UserScript): void {
    this.#scripts.push(script);
  }

  /** The same mock, watched. */
  watched<App extends TestApp>(role: 'service' | 'provider', app: App): App {
    const { fetch } = app;
    return {
      ...app,
      fetch: async (request: Request) => {
        await this.#letAct(role, request);
        const response = await fetch(request);
        if (role === 'provider') await this.waiting.note(request, response);
        return response;
      },
    };
  }

  async #letAct(role: 'service' | 'provider', request: Request): Promise<void> {
    // What users do is no poll; what an act of theirs has an agent do is not theirs again.
    if (this.#isActing || this.#scripts.every(({ isEmpty }) => isEmpty)) return;
    const poll = await this.waiting.pollOf(role, request);
    if (poll === undefined) return;
    this.#isActing = true;
    try {
      for (const script of this.#scripts.filter(({ isEmpty }) => !isEmpty)) {
        await script.polled(poll);
        // A claim names its user; a sign-in is anybody's.
        if (poll.kind !== 'claim') return;
      }
    } finally {
      this.#isActing = false;
    }
  }
}
