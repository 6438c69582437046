import { isJsonObject } from '../../../protocol/json.ts';
import type { Fetch } from '../../../runtime/ports.ts';
import type { Actor } from './exchange.ts';
import type { RawMessage } from './show-wire.ts';

/** One request and its answer, whole. It never leaves the demo: it is full of secrets. */
export interface RawExchange {
  readonly actor: Actor;
  readonly url: URL;
  readonly method: string;
  /** Members of a form or of a JSON body, and whether a token was sent. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly response: Readonly<Record<string, unknown>>;
  readonly html: boolean;
  readonly sent: RawMessage;
  readonly answered: RawMessage;
}

/** A fetch port that hands every exchange to `onExchange` before its caller sees the answer. */
export function recordFetch(
  fetch: Fetch,
  actor: Actor,
  onExchange: (exchange: RawExchange) => Promise<void>,
): Fetch {
  return async (url, init = {}) => {
    const response = await fetch(url, init);
    const text = await response.text();
    const headers = new Headers(init.headers);
    const authorization = headers.get('authorization');
    const body = init.body === undefined ? undefined : String(init.body);
    await onExchange({
      actor,
      url: new URL(url),
      method: init.method ?? 'GET',
      request: {
        ...readMembers(body ?? ''),
        ...(authorization !== null && { authorization: authorization.replace(/^Bearer /, '') }),
      },
      status: response.status,
      response: readMembers(text),
      html: response.headers.get('content-type')?.startsWith('text/html') === true,
      sent: { headers, body },
      answered: { headers: response.headers, body: text },
    });
    return new Response(mayHaveBody(response.status) ? text : null, {
      status: response.status,
      headers: response.headers,
    });
  };
}

function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

/** Members of JSON or of a form; none for anything else. */
function readMembers(body: string): Readonly<Record<string, unknown>> {
  const trimmed = body.trim();
  if (trimmed.startsWith('{')) {
    try {
      const value: unknown = JSON.parse(trimmed);
      return isJsonObject(value) ? value : {};
    } catch {
      return {};
    }
  }
  return /^[\w.-]+=/.test(trimmed) ? Object.fromEntries(new URLSearchParams(trimmed)) : {};
}
