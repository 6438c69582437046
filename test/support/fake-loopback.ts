import type { ListenForRedirect } from '../../src/runtime/ports.ts';

/** The loopback address of a machine that has no network: where a browser brings the answer to a sign-in. */
export class FakeLoopback {
  readonly ended: (string | undefined)[] = [];
  #ports = 40_000;
  readonly #waiting = new Map<string, (answer: URLSearchParams) => void>();

  readonly listen: ListenForRedirect = async (again) => {
    this.#ports += 1;
    const redirectUri = again ?? `http://127.0.0.1:${this.#ports}/callback`;
    if (this.#waiting.has(redirectUri)) throw new Error('EADDRINUSE');
    const came = new Promise<URLSearchParams>((resolve) => {
      this.#waiting.set(redirectUri, resolve);
    });
    return {
      redirectUri,
      answer: (signal) =>
        Promise.race([
          came,
          new Promise<never>((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          }),
        ]),
      close: (ended) => {
        this.ended.push(ended);
        this.#waiting.delete(redirectUri);
      },
    };
  };

  /** The browser follows a redirect to this machine. @returns whether anybody listened there. */
  bring(location: string): boolean {
    const { origin, pathname, searchParams } = new URL(location);
    const take = this.#waiting.get(origin + pathname);
    take?.(searchParams);
    return take !== undefined;
  }
}
