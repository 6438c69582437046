import { displayText } from '../../protocol/index.ts';
import type { Fetch } from '../../runtime/index.ts';
import { ToolError } from '../answer/answer.ts';

/** Origins that a server was started for; `undefined`: any. */
type Only = readonly string[] | undefined;

/** @throws ToolError `origin_not_allowed`, where this server was started for other origins. */
export function requireAllowed({ only }: { readonly only: Only }, url: string): string {
  const { origin } = new URL(url);
  if (only !== undefined && !only.includes(origin)) throw notAllowed(origin, only);
  return url;
}

/**
 * The same fetch for these origins alone: what a service publishes may name any other, also one off the network
 * that only this machine reaches. No other request is sent.
 * @param only those that the user named.
 * @param also those that may be reached beside them.
 */
export function allowedFetch(fetch: Fetch, only: Only, also: ReadonlySet<string>): Fetch {
  if (only === undefined) return fetch;
  return async (url, init) => {
    const { origin } = new URL(url);
    if (!only.includes(origin) && !also.has(origin)) throw notAllowed(origin, only);
    return fetch(url, init);
  };
}

function notAllowed(origin: string, only: readonly string[]): ToolError {
  return new ToolError(`This server may not be used with ${displayText(origin, 200)}.`, {
    code: 'origin_not_allowed',
    hint: `It was started for ${only.join(', ')}. The user may add --only with another origin to its arguments in the configuration of the host, if they know that it belongs to the service.`,
  });
}
