import type { Reading } from '../../engine/judge.ts';
import { type AgentWorld, ending, type ObservedRun } from '../agent-world.ts';
import { isResponse, type Reply, type Rule, withUnreadBody } from '../peer.ts';

/** How an answer is slow: half of it comes and then nothing, or it is led by a space a second, without end. */
export type Slowness = 'stalls' | 'trickles';

/** Between two bytes of an answer that trickles. Milliseconds. */
const BETWEEN_BYTES = 1000;

/** A right answer that comes to no end; its headers come at once. */
export async function slowly(
  world: AgentWorld,
  slowness: Slowness,
  right: Response,
): Promise<Response> {
  const { harness } = world;
  const text = await right.text();
  let begin = slowness === 'stalls' ? text.slice(0, text.length / 2) : '';
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (begin === '' && slowness === 'stalls') await harness.silence();
      if (begin === '') await harness.sleep(BETWEEN_BYTES);
      if (isLeft) return;
      controller.enqueue(new TextEncoder().encode(begin === '' ? ' ' : begin));
      begin = '';
    },
    cancel() {
      isLeft = true;
    },
  });
  const headers = new Headers(right.headers);
  headers.delete('content-length');
  return withUnreadBody(new Response(body, { status: right.status, headers }));
}

/** Makes the first answer slow. Whoever asks again gets a right one. */
export function slowFirst(world: AgentWorld, slowness: Slowness): Rule {
  return async ({ nth }, next): Promise<Reply> => {
    const reply = await next();
    return nth === 1 && isResponse(reply) ? slowly(world, slowness, reply) : reply;
  };
}

/** The agent ended by itself. */
export function endedInTime(run: ObservedRun): Reading {
  return {
    ok: !run.killed,
    seen: `${ending(run)}; --timeout allows more`,
  };
}

export const MEGABYTE = 1024 * 1024;
/** Far more than any answer needs. Bytes. */
export const TOO_LARGE = 64 * MEGABYTE;

/** An answer of spaces, which ends only where somebody has read too much of it. */
export class EndlessBody {
  #sent = 0;

  /** How much of it was read. Bytes. */
  get sent(): number {
    return this.#sent;
  }

  answer(): Response {
    const chunk = new TextEncoder().encode(' '.repeat(MEGABYTE / 4));
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        this.#sent += chunk.length;
        if (this.#sent > TOO_LARGE) controller.close();
        else controller.enqueue(chunk);
      },
    });
    return withUnreadBody(new Response(body, { headers: { 'content-type': 'application/json' } }));
  }
}
