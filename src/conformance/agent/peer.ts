import { ConnectionDropped } from '../../mock-service/index.ts';
import type { Invented } from '../engine/invented.ts';
import type { Recorder } from '../http/recorder.ts';
import type { Handler, Harness } from './harness.ts';
import { type Kind, Seen } from './seen.ts';

/** Says nothing and closes the connection, or says nothing and keeps it. */
export type Reply = Response | 'drop' | 'silence';

/** A request that a rule looks at. */
export interface Ask extends Pick<Seen, 'at' | 'kind' | 'method' | 'url' | 'headers' | 'body'> {
  readonly seen: Seen;
  /** How many of its kind came to this peer, this one included. */
  readonly nth: number;
}

/** Goes on to the rule before, and in the end to the peer itself; with another body or path if given. */
export type Next = (changes?: { readonly body?: string; readonly path?: string }) => Promise<Reply>;

export type Rule = (ask: Ask, next: Next) => Promise<Reply> | Reply;

/** What the peers of one scenario share. */
export interface Scene {
  readonly stage: Harness;
  readonly recorder: Recorder;
  readonly invented: Invented;
  readonly traffic: Seen[];
}

export type Classify = (request: { method: string; url: URL; body: string }) => Kind;

/** More requests than this in one scenario are a flood; nobody reads about them. */
const MOST_REQUESTS = 400;

const unread = new WeakSet<Response>();

/** An answer whose body is not for reading: packed, or without an end. */
export function withUnreadBody(response: Response): Response {
  unread.add(response);
  return response;
}

/** A server that the suite plays: it writes down every request, and rules can answer in its place. */
export class Peer {
  readonly name: string;
  readonly #scene: Scene;
  readonly #base: Handler;
  readonly #classify: Classify;
  readonly #seen: Seen[] = [];
  readonly #rules: { readonly kinds: readonly Kind[] | 'all'; readonly rule: Rule }[] = [];

  constructor(name: string, scene: Scene, base: Handler, classify: Classify) {
    this.name = name;
    this.#scene = scene;
    this.#base = base;
    this.#classify = classify;
  }

  /** Lets a rule answer these requests; the newest rule is asked first. */
  on(kinds: Kind | readonly Kind[] | 'all', rule: Rule): this {
    this.#rules.unshift({ kinds: kinds === 'all' ? kinds : [kinds].flat(), rule });
    return this;
  }

  /** What came to this peer, of some kinds or all. */
  seen(...kinds: readonly Kind[]): readonly Seen[] {
    return this.#seen.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  }

  readonly handle: Handler = async (request) => {
    const { stage, recorder, traffic } = this.#scene;
    const body = await request.text();
    if (traffic.length >= MOST_REQUESTS) {
      stage.stop();
      throw new ConnectionDropped();
    }
    const url = new URL(request.url);
    const { method, headers } = request;
    const exchange = recorder.begin({
      from: 'agent',
      to: this.name,
      method,
      url: url.href,
      headers: [...headers],
      body: body === '' ? undefined : body,
    });
    const at = stage.clock.now();
    const kind = this.#classify({ method, url, body });
    const { name: to } = this;
    const seen = new Seen({ number: exchange.number, at, to, kind, method, url, headers, body });
    traffic.push(seen);
    this.#seen.push(seen);
    const reply = await this.#answer(seen);
    if (reply === 'silence') {
      exchange.fail('It was left without an answer.');
      return stage.silence();
    }
    if (reply === 'drop') {
      exchange.fail('Its connection was closed without an answer.');
      throw new ConnectionDropped();
    }
    const isUnread = unread.has(reply);
    const text = isUnread ? '' : await reply.text();
    seen.answer = { status: reply.status, body: text };
    const duration = stage.clock.now() - at;
    exchange.end({ status: reply.status, headers: [...reply.headers], body: text, duration });
    if (isUnread) return reply;
    const isEmpty = [204, 205, 304].includes(reply.status);
    const init = { status: reply.status, headers: reply.headers };
    return new Response(isEmpty ? null : text, init);
  };

  #answer(seen: Seen): Promise<Reply> {
    const nth = this.seen(seen.kind).length;
    const { at, kind, method, url, headers, body } = seen;
    const rules = this.#rules.filter(({ kinds }) => kinds === 'all' || kinds.includes(kind));
    const ask = (index: number, now: { body: string; path: string }): Promise<Reply> => {
      const rule = rules[index]?.rule;
      if (rule === undefined) return this.#base(requestOf(seen, now));
      const next: Next = (changes) => ask(index + 1, { ...now, ...changes });
      return Promise.resolve(
        rule({ at, kind, method, url, headers, body: now.body, seen, nth }, next),
      );
    };
    return ask(0, { body, path: url.pathname });
  }
}

function requestOf({ url, method, headers }: Seen, { body, path }: { body: string; path: string }) {
  const copy = new Headers(headers);
  copy.delete('content-length');
  const target = new URL(path + url.search, url.origin);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(target, { method, headers: copy, ...(hasBody && { body }) });
}
