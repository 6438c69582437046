import type { Fetch } from '../../runtime/index.ts';

/** A request to an origin that this server was not started for. It was not sent. */
export class ElsewhereError extends Error {
  override readonly name = 'ElsewhereError';
  readonly origin: string;

  constructor(origin: string) {
    super(`No request is sent to ${origin}.`);
    this.origin = origin;
  }
}

/**
 * The same fetch for these origins alone: what a service publishes may name any other, also one off the network
 * that only this machine reaches.
 * @param only `undefined`: any.
 */
export function allowedFetch(fetch: Fetch, only: readonly string[] | undefined): Fetch {
  if (only === undefined) return fetch;
  return async (url, init) => {
    const { origin } = new URL(url);
    if (!only.includes(origin)) throw new ElsewhereError(origin);
    return fetch(url, init);
  };
}
