import { isJsonObject } from '../../protocol/index.ts';
import type { TestApp } from './test-network.ts';
import type { UserScript } from './user-script.ts';
import { Waiting } from './waiting.ts';

/** What is said at the end of a wait in which nobody was to act: most often a test forgot to say so. */
const NOBODY_ACTS =
  "In this test nobody acts when asked: user.whenAsked('approve') says what a user does.";

/**
 * Sees what agents poll for, whoever they are and whatever they wait with, and lets the users act before the mock
 * answers: so that a poll finds what its user has done.
 */
export class PollWatch {
  readonly waiting = new Waiting();
  readonly #scripts: UserScript[] = [];
  #isActing = false;
  #failure: { readonly error: unknown } | undefined;

  follow(script: UserScript): void {
    this.#scripts.push(script);
  }

  /**
   * What a user could not do, or what an act of theirs threw, once: an agent takes the poll that it broke for one that
   * was lost, and polls on. @throws that.
   */
  throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  /** Whoever sent the poll was told. */
  forget(error: unknown): void {
    if (this.#failure?.error === error) this.#failure = undefined;
  }

  /** The same mock, watched. */
  watched<App extends TestApp>(role: 'service' | 'provider', app: App): App {
    const { fetch } = app;
    return {
      ...app,
      fetch: async (request: Request) => {
        await this.#letAct(role, request);
        const response = await this.#explained(await fetch(request));
        await this.waiting.note(role, request, response);
        return response;
      },
    };
  }

  /** The same answer; where it ends a wait, and no user has a script, its description says so. */
  async #explained(response: Response): Promise<Response> {
    if (response.status !== 400 || this.#scripts.some(({ isEmpty }) => !isEmpty)) return response;
    const told: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    if (!isJsonObject(told) || told['error'] !== 'expired_token') return response;
    const description = [told['error_description'], NOBODY_ACTS].filter(Boolean).join(' ');
    const { headers, status } = response;
    return Response.json({ ...told, error_description: description }, { headers, status });
  }

  async #letAct(role: 'service' | 'provider', request: Request): Promise<void> {
    if (this.#scripts.every(({ isEmpty }) => isEmpty)) return;
    const poll = await this.waiting.pollOf(role, request);
    // One thing at a time, in one browser; and what an act of theirs has an agent do is not theirs again.
    if (poll === undefined || this.#isActing) return;
    this.#isActing = true;
    try {
      for (const script of this.#scripts.filter(({ isEmpty }) => !isEmpty)) {
        await script.polled(poll);
        // A claim names its user; a sign-in is anybody's.
        if (poll.kind !== 'claim') return;
      }
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#isActing = false;
    }
  }
}
