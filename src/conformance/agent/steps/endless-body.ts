import { withUnreadBody } from '../peer.ts';

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
