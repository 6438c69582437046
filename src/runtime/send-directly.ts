import type { FetchInit } from './ports.ts';
import { sharedDispatcher } from './system-dispatcher.ts';
import { toDispatch } from './to-dispatch.ts';

/** What sends. Loaded when it is first needed: most starts of the program send nothing with it. */
let loaded: typeof import('./system-exchange.ts') | undefined;

/**
 * The exchange that the runtime's own `fetch` would make, by what that sends with, and without its streams.
 * `undefined` where the two could differ in anything: then it is for `fetch` itself.
 * @param timeLimit for headers and body, in milliseconds, as `limitFetch` puts it; left out: none.
 */
export function sendDirectly(
  given: string,
  init: FetchInit,
  timeLimit?: number,
): Promise<Response> | undefined {
  const dispatcher = sharedDispatcher();
  if (dispatcher === undefined || init.redirect !== 'manual' || !URL.canParse(given)) {
    return undefined;
  }
  const url = new URL(given);
  const request = toDispatch(url, init, 'node');
  if (request === undefined) return undefined;
  url.hash = '';
  const options = { signal: init.signal, timeLimit };
  if (loaded !== undefined) return loaded.exchange(dispatcher, request, url.href, options);
  return import('./system-exchange.ts').then((module) => {
    loaded = module;
    return module.exchange(dispatcher, request, url.href, options);
  });
}
