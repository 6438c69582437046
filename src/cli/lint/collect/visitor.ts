import { AgentError } from '../../../agent/agent-error.ts';
import { MCP_INITIALIZE } from '../../../agent/discovery/ask-for-challenge.ts';
import { Peer, type TextAnswer } from '../../../agent/http/peer.ts';
import { describeDuration } from '../../../protocol/durations.ts';
import { displayText } from '../../../protocol/text.ts';
import { withoutQuery } from '../../../protocol/urls.ts';
import { silentLog } from '../../../runtime/system.ts';
import { type Deadline, startDeadline } from '../../../runtime/system-deadline.ts';
import { CliError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Looked } from './collected.ts';
import { LONGEST } from './limits.ts';

/** What came of a request. */
export type Visit =
  | { readonly ok: true; readonly answer: TextAnswer }
  /** No answer came, and why. */
  | { readonly ok: false; readonly error: AgentError };

/**
 * Asks for documents: by GET, without credentials, each URL once, no redirect followed, bounded in time.
 */
export class Visitor {
  readonly looked: Looked[] = [];
  readonly #peer: Peer;
  readonly #interrupt: AbortSignal;
  readonly #deadline: Deadline;
  readonly #visits = new Map<string, Visit>();

  private constructor(peer: Peer, interrupt: AbortSignal) {
    this.#peer = peer;
    this.#interrupt = interrupt;
    this.#deadline = startDeadline(LONGEST, interrupt);
  }

  static async start({ fetch, world, interrupt }: Context): Promise<Visitor> {
    const { clock, sleep, random } = world;
    const peer = new Peer({ fetch: await fetch(), clock, sleep, random, log: silentLog });
    return new Visitor(peer, interrupt.signal);
  }

  /** Releases its time limit. */
  end(): void {
    this.#deadline.end();
  }

  async get(url: string, accept: string, limit: number): Promise<Visit> {
    const known = this.#visits.get(url);
    if (known !== undefined) return known;
    const visit = await this.#visit((signal) =>
      this.#peer.readText(url, { headers: { accept } }, limit, signal),
    );
    this.#visits.set(url, visit);
    return visit;
  }

  /** Asks as a client of MCP begins. */
  async initialize(url: string, limit: number): Promise<Visit> {
    return this.#visit((signal) => this.#peer.readText(url, MCP_INITIALIZE, limit, signal));
  }

  /** Describes what came of a URL, in the order in which they were asked for. */
  note(url: string, visit: Visit, learnt: string): void {
    const status = visit.ok ? visit.answer.status : undefined;
    this.looked.push({ name: displayText(withoutQuery(url)), status, learnt });
  }

  async #visit(ask: (signal: AbortSignal) => Promise<TextAnswer>): Promise<Visit> {
    const { signal } = this.#deadline;
    try {
      return { ok: true, answer: await ask(signal) };
    } catch (error) {
      if (!(error instanceof AgentError) || this.#interrupt.aborted) throw error;
      if (signal.aborted) {
        throw new CliError('network', {
          code: 'network_timeout',
          message: `The documents did not come within ${describeDuration(LONGEST)}.`,
          hint: 'Try again later.',
          cause: error,
        });
      }
      return { ok: false, error };
    }
  }
}
