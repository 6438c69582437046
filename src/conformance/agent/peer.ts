import { ConnectionDropped } from '../../mock-service/index.ts';
import type { Invented } from '../engine/invented.ts';
import type { Recorder } from '../http/recorder.ts';
import type { Handler, Harness } from './harness.ts';
import { ReceivedRequest, type RequestKind } from './received-request.ts';

/** An answer; or none, with the connection closed (`drop`) or kept open (`silence`). */
export type Reply = Response | 'drop' | 'silence';

/** Tells a response by what it is: a server may have replaced the global, and no `instanceof` would tell. */
export function isResponse(reply: Reply): reply is Response {
  return typeof reply === 'object';
}

/** A request as a rule receives it: an earlier rule may have changed its body. */
interface RuleInput
  extends Pick<ReceivedRequest, 'at' | 'kind' | 'method' | 'url' | 'headers' | 'body'> {
  readonly received: ReceivedRequest;
  /** Which of its kind at this peer, from 1. */
  readonly nth: number;
}

/** Passes the request to the next rule, and at last to the peer itself; with another body or path if given. */
export type Next = (changes?: { readonly body?: string; readonly path?: string }) => Promise<Reply>;

export type Rule = (request: RuleInput, next: Next) => Promise<Reply> | Reply;

/** What the peers of one scenario share. */
export interface PeerContext {
  readonly harness: Pick<Harness, 'clock' | 'random' | 'host' | 'silence' | 'endRun'>;
  readonly recorder: Recorder;
  readonly invented: Invented;
  readonly traffic: ReceivedRequest[];
  /** How many requests came before the current run. */
  readonly runBegan: number;
  /** Called with each request. */
  noteRequest?(): void;
}

export type Classify = (request: { method: string; url: URL; body: string }) => RequestKind;

/** The agent is stopped after so many requests in one run. */
const MOST_REQUESTS = 400;

const unread = new WeakSet<Response>();

/** Marks an answer whose body the peer must not read into the report: compressed, or endless. */
export function withUnreadBody(response: Response): Response {
  unread.add(response);
  return response;
}

/** A server that the suite runs for the agent. It records every request; rules can answer in its place. */
export class Peer {
  readonly name: string;
  readonly #context: PeerContext;
  readonly #base: Handler;
  readonly #classify: Classify;
  readonly #requests: ReceivedRequest[] = [];
  readonly #rules: { readonly kinds: readonly RequestKind[] | 'all'; readonly rule: Rule }[] = [];

  constructor(name: string, context: PeerContext, base: Handler, classify: Classify) {
    this.name = name;
    this.#context = context;
    this.#base = base;
    this.#classify = classify;
  }

  /** Adds a rule for these requests; the newest rule comes first. */
  on(kinds: RequestKind | readonly RequestKind[] | 'all', rule: Rule): this {
    this.#rules.unshift({ kinds: kinds === 'all' ? kinds : [kinds].flat(), rule });
    return this;
  }

  /** The requests that this peer received, of the given kinds or all. */
  requests(...kinds: readonly RequestKind[]): readonly ReceivedRequest[] {
    return this.#requests.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  }

  readonly handle: Handler = async (request) => {
    const { harness, recorder, traffic } = this.#context;
    const body = await request.text();
    if (traffic.length - this.#context.runBegan >= MOST_REQUESTS) {
      harness.endRun(`sent more than ${MOST_REQUESTS} requests`);
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
    const at = harness.clock.now();
    const kind = this.#classify({ method, url, body });
    const { name: to } = this;
    const received = new ReceivedRequest({
      number: exchange.number,
      at,
      to,
      kind,
      method,
      url,
      headers,
      body,
    });
    traffic.push(received);
    this.#context.noteRequest?.();
    this.#requests.push(received);
    const reply = await this.#answer(received);
    if (reply === 'silence') {
      exchange.fail('The suite sent no answer.');
      return harness.silence();
    }
    if (reply === 'drop') {
      exchange.fail('The suite closed the connection without an answer.');
      throw new ConnectionDropped();
    }
    const isUnread = unread.has(reply);
    const text = isUnread ? '' : await reply.text();
    received.answer = { status: reply.status, body: text };
    const duration = harness.clock.now() - at;
    exchange.end({ status: reply.status, headers: [...reply.headers], body: text, duration });
    if (isUnread) return reply;
    const isEmpty = [204, 205, 304].includes(reply.status);
    const init = { status: reply.status, headers: reply.headers };
    return new Response(isEmpty ? null : text, init);
  };

  #answer(received: ReceivedRequest): Promise<Reply> {
    const nth = this.requests(received.kind).length;
    const { at, kind, method, url, headers, body } = received;
    const rules = this.#rules.filter(({ kinds }) => kinds === 'all' || kinds.includes(kind));
    const ask = (index: number, now: { body: string; path: string }): Promise<Reply> => {
      const rule = rules[index]?.rule;
      if (rule === undefined) return this.#base(requestOf(received, now));
      const next: Next = (changes) => ask(index + 1, { ...now, ...changes });
      return Promise.resolve(
        rule({ at, kind, method, url, headers, body: now.body, received, nth }, next),
      );
    };
    return ask(0, { body, path: url.pathname });
  }
}

function requestOf(
  { url, method, headers }: ReceivedRequest,
  { body, path }: { body: string; path: string },
) {
  const copy = new Headers(headers);
  copy.delete('content-length');
  const target = new URL(path + url.search, url.origin);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(target, { method, headers: copy, ...(hasBody && { body }) });
}
