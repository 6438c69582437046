import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { NO_BODY, SeenBody } from '../../traffic/seen-body.ts';
import type { ConnectionLimits } from './connection-limits.ts';

/** Node's server, with these limits. */
export function createLimitedServer(
  tls: { readonly cert: string; readonly key: string } | undefined,
  {
    headers = 10_000,
    request = 30_000,
    idle = 60_000,
    keepAlive = 5_000,
    check = 2_000,
  }: Partial<ConnectionLimits> = {},
): Server {
  const limits = {
    ServerResponse: WatchedResponse,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: check,
  };
  const server =
    tls === undefined
      ? createServer(limits)
      : createTlsServer({ ...limits, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: headers });
  server.setTimeout(idle, (socket) => socket.destroy());
  return server;
}

export interface SeenAnswer {
  /** `null`: there was none. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, AnsweredValue>>;
  readonly body: SeenBody;
}

export const NO_ANSWER: SeenAnswer = { status: null, headers: {}, body: NO_BODY };

/** A header as Node writes it; one that comes several times is a list. */
type AnsweredValue = number | string | readonly string[] | undefined;

/** Node's own response, which tells what is written. */
export class WatchedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** The date by the mock's clock, in place of the one that Node would add. */
  date: string | undefined;
  /**
   * Called with the answer once it has begun, before its reader can have seen it. A function right in the field would
   * outlive many collections of garbage, with all that it holds.
   */
  watch: { readonly begun: (answer: SeenAnswer) => void } | undefined;
  #headers: SeenAnswer['headers'] = {};
  #body: SeenBody | undefined;

  override writeHead(status: number, ...given: unknown[]): this {
    const [named] = given;
    // Somebody else's answer comes with a reason phrase, and has a date.
    if (typeof named === 'string') return Reflect.apply(super.writeHead, this, [status, ...given]);
    // Beside them, and not by `setHeader`: Node then writes them one by one, which takes longer.
    const headers: OutgoingHttpHeaders = { ...(named as OutgoingHttpHeaders) };
    if (this.date !== undefined) headers['date'] ??= this.date;
    this.#headers = headers;
    return super.writeHead(status, headers);
  }

  override write(...given: unknown[]): boolean {
    this.#see(given[0], false);
    return Reflect.apply(super.write, this, given);
  }

  override end(...given: unknown[]): this {
    this.#see(given[0], true);
    return Reflect.apply(super.end, this, given);
  }

  override flushHeaders(): void {
    this.#see(undefined, false);
    super.flushHeaders();
  }

  /** Ends the connection without an answer. */
  drop(): void {
    this.watch?.begun(NO_ANSWER);
    this.watch = undefined;
    this.req.socket.destroy();
  }

  #see(chunk: unknown, isLast: boolean): void {
    const { watch } = this;
    if (watch === undefined && this.#body === undefined) return;
    this.#body ??= new SeenBody();
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.#body.take(chunk);
    this.#body.isWhole = isLast;
    this.watch = undefined;
    watch?.begun({ status: this.statusCode, headers: this.#headers, body: this.#body });
  }
}
