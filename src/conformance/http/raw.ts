import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Clock } from '../../runtime/index.ts';
import { codeOf, NoAnswer } from './no-answer.ts';
import type { Recorder } from './recorder.ts';

/** What came back over one connection: the first answer or, where something was asked next, all before its answer. */
export interface RawReply {
  /** The status of each answer, in order. */
  readonly statuses: readonly number[];
  /** The status of the answer to what was asked next. */
  readonly nextStatus: number | undefined;
  readonly text: string;
  /** The peer ended the connection, and answered nothing that was asked next. */
  readonly closed: boolean;
  /** Number of the exchange in its scenario. */
  readonly exchange: number;
}

export interface RawSending {
  /** Sent one after another, until an answer comes or the connection ends. */
  readonly chunks: Iterable<string | Uint8Array>;
  /**
   * A request that asks to close the connection, sent after the first answer: answers keep the order of the requests
   * (RFC 9112 §9.3.2), so that nothing before it is still to come when the connection ends.
   */
  readonly next?: string;
  /** Milliseconds without a byte after which it ends. Default: the client's timeout. */
  readonly timeout?: number;
  /** What is odd in it: a target may die of it. */
  readonly odd?: string;
}

interface RawOptions {
  /** Who answers, for the record. */
  readonly peer: string;
  readonly clock: Clock;
  readonly timeout: number;
  /** The authorities that are trusted. Default: those of Node. */
  readonly secureContext?: SecureContext;
  /** A connection to the host and port of a URL through a proxy; undefined where none is between. */
  readonly through?: ((url: string) => Promise<Socket> | undefined) | undefined;
}

/** How long a peer may take to end a connection after the answer with which it was asked to. Milliseconds. */
const LINGER = 1_000;
/** The status line of an answer that is no interim one (RFC 9110 §15.2). */
const STATUS = /HTTP\/1\.[01] ([2-5]\d{2})/g;
const MAX_TEXT = 64 * 1024;

/**
 * Sends bytes that no HTTP client would send, over a connection of their own.
 * @throws NoAnswer when there is no connection.
 */
export async function sendRaw(
  url: string,
  { chunks, next, odd, timeout: quiet }: RawSending,
  recorder: Recorder,
  options: RawOptions,
): Promise<RawReply> {
  const { host } = new URL(url);
  const timeout = quiet ?? options.timeout;
  const began = options.clock.now();
  const all = chunks[Symbol.iterator]();
  const first = all.next();
  const head = first.done === true ? '' : Buffer.from(first.value).toString('latin1');
  const entry = recorder.begin(
    {
      from: 'suite',
      to: options.peer,
      method: head.split(' ')[0] ?? '',
      url,
      headers: [],
      body: `As raw bytes:\n${head}${next === undefined ? '' : `\nAfter the answer:\n${next}`}`,
    },
    odd,
  );
  try {
    const reply = await converse(url, { head, rest: all, next, timeout }, options);
    const {
      closed,
      text,
      statuses: [status],
    } = reply;
    if (status === undefined) {
      entry.fail(
        closed
          ? 'The peer closed the connection without an answer.'
          : `No answer came within ${timeout / 1000} s.`,
      );
    } else {
      const duration = options.clock.now() - began;
      entry.end({ status, headers: [], body: text.slice(0, 4096), duration });
    }
    return { ...reply, exchange: entry.number };
  } catch (error) {
    // One that is taken, and ended before a word, is a limit that a peer may have.
    entry.fail(`There is no connection to ${host}.`, codeOf(error) === 'ECONNREFUSED');
    throw new NoAnswer('refused', `There is no connection to ${host}.`);
  }
}

interface Conversation {
  readonly head: string;
  readonly rest: Iterator<string | Uint8Array>;
  readonly next: string | undefined;
  readonly timeout: number;
}

async function converse(
  url: string,
  { head, rest, next, timeout }: Conversation,
  options: RawOptions,
): Promise<Omit<RawReply, 'exchange'>> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const { secureContext, clock } = options;
  const at = { host, port: Number(port) || (isTls ? 443 : 80) };
  const through = await options.through?.(url);
  return new Promise((resolve, reject) => {
    let text = '';
    let latest = Number.POSITIVE_INFINITY;
    /** How many answers had come when the next request was sent. */
    let before: number | undefined;
    let connected = false;
    const socket: Socket = isTls
      ? connectTls({
          ...at,
          ...(through && { socket: through }),
          // RFC 6066 §3: no IP address.
          ...(isIP(host) === 0 && { servername: host }),
          // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
          rejectUnauthorized: true,
          ...(secureContext && { secureContext }),
        })
      : (through ?? connectPlain(at));
    const statuses = () => [...text.matchAll(STATUS)].map(([, status]) => Number(status));
    const finish = (closed: boolean) => {
      socket.destroy();
      const all = statuses();
      const nextStatus = before !== undefined && all.length > before ? all.pop() : undefined;
      resolve({ text, statuses: all, nextStatus, closed: closed && nextStatus === undefined });
    };
    const pump = () => {
      while (text === '' && socket.writable) {
        const chunk = rest.next();
        if (chunk.done === true) return;
        if (!socket.write(chunk.value)) {
          socket.once('drain', pump);
          return;
        }
      }
    };
    socket.setTimeout(timeout, () => finish(false));
    const begin = () => {
      connected = true;
      socket.write(Buffer.from(head, 'latin1'));
      pump();
    };
    if (isTls || through === undefined) socket.once(isTls ? 'secureConnect' : 'connect', begin);
    else begin();
    socket.on('data', (chunk: Buffer) => {
      if (text.length < MAX_TEXT) text += chunk.toString('latin1');
      latest = Math.min(latest, clock.now() + timeout);
      const answered = statuses().length;
      // A peer that trickles its answer is never quiet.
      if (clock.now() > latest || (next === undefined && answered > 0)) return finish(false);
      if (before !== undefined && answered > before) socket.setTimeout(Math.min(LINGER, timeout));
      if (before !== undefined || next === undefined || answered === 0) return;
      before = answered;
      socket.write(next);
    });
    socket.once('end', () => finish(true));
    socket.once('close', () => finish(true));
    // Once connected, a reset is an end like any other.
    socket.once('error', (error) => (connected ? finish(true) : reject(error)));
  });
}
