import type { Fetch, FetchInit } from '../../../src/runtime/index.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The clock's time at which it came. */
  readonly at: number;
}

/** A function makes a fresh answer; `Error` is a connection that gives none. */
type Scripted = Response | Error;
export type Reply = Scripted | ((request: SeenRequest) => Scripted | Promise<Scripted>);

/**
 * A network of scripted URLs. A list is answered in order, its last entry for good; what is not
 * scripted is a 404. Every request is kept.
 */
export class FakeWeb {
  readonly requests: SeenRequest[] = [];
  readonly #routes = new Map<string, Reply[]>();
  readonly #now: () => number;

  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  /** `POST https://host/path`; the query is not part of it. */
  on(route: string, ...replies: [Reply, ...Reply[]]): this {
    this.#routes.set(route, replies);
    return this;
  }

  /** What was sent to a route. */
  sent(route: string): readonly SeenRequest[] {
    return this.requests.filter((request) => routeOf(request.method, request.url) === route);
  }

  readonly fetch: Fetch = async (url, init = {}) => {
    const request = this.#record(url, init);
    init.signal?.throwIfAborted();
    const replies = this.#routes.get(routeOf(request.method, url));
    const reply = replies && replies.length > 1 ? replies.shift() : replies?.[0];
    // A given answer may be sent again, so a copy goes out; a function makes a fresh one each time.
    const answer = typeof reply === 'function' ? await reply(request) : copyOf(reply);
    if (answer instanceof Error) throw answer;
    return answer ?? new Response('nothing here', { status: 404 });
  };

  #record(url: string, init: FetchInit): SeenRequest {
    const { body = '' } = init;
    const request = {
      method: init.method ?? 'GET',
      url,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof body === 'string' ? body : new TextDecoder().decode(body),
      at: this.#now(),
    };
    this.requests.push(request);
    return request;
  }
}

function copyOf(reply: Response | Error | undefined): Response | Error | undefined {
  return reply instanceof Response ? reply.clone() : reply;
}

function routeOf(method: string, url: string): string {
  return `${method} ${url.split(/[?#]/, 1)[0]}`;
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export function html(status = 200): Response {
  return new Response('<!doctype html><title>Sign in</title>', {
    status,
    headers: { 'content-type': 'text/html' },
  });
}

/** A body that never ends; `pulled` counts the bytes that were asked for. */
export function endless(): { readonly response: Response; readonly pulled: () => number } {
  let pulled = 0;
  const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
  const stream = new ReadableStream({
    pull: (controller) => {
      pulled += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
  return { response: new Response(stream), pulled: () => pulled };
}

/** An answer that begins and then breaks off, as undici tells it. */
export function brokenOff(start: string, { status = 200, code = 'UND_ERR_SOCKET' } = {}): Response {
  let begun = false;
  const stream = new ReadableStream({
    pull: (controller) => {
      if (begun) controller.error(Object.assign(new Error('terminated'), { code }));
      else controller.enqueue(new TextEncoder().encode(start));
      begun = true;
    },
  });
  return new Response(stream, { status, headers: { 'content-type': 'application/json' } });
}

/** The members of a form or JSON body. */
export function members(request: SeenRequest | undefined): Record<string, unknown> {
  if (request === undefined) throw new Error('There was no such request.');
  return request.body.startsWith('{')
    ? (JSON.parse(request.body) as Record<string, unknown>)
    : Object.fromEntries(new URLSearchParams(request.body));
}
