/** What the Node server has of a request, as it came: as much as is needed here. */
export interface Incoming {
  /** Whether it has arrived whole. */
  readonly complete: boolean;
  readonly destroyed: boolean;
  readonly headers: { readonly 'content-length'?: string | undefined };
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** Whether somebody has begun to read its body. */
  readonly readableDidRead: boolean;
  /** What is there, all at once; `null` when nothing is. */
  read(): Uint8Array | null;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: BodyEnd, listener: (error?: Error) => void): unknown;
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  off(event: BodyEnd, listener: (error?: Error) => void): unknown;
}

type BodyEnd = 'end' | 'error' | 'close';

const INCOMING = Symbol('incoming');

interface Noted {
  [INCOMING]?: Incoming;
}

/** Notes what a request of the Node server was made from. */
export function recordIncoming(request: Request & Noted, incoming: Incoming): void {
  request[INCOMING] = incoming;
}

/** `undefined` of a request that was made by somebody else, or that stands for another. */
export function incomingOf(request: Request & Noted): Incoming | undefined {
  return request[INCOMING];
}

/**
 * The length of a body that can be read without its stream: announced, and nobody has begun to read it.
 * What comes is then exactly as long, or breaks off (RFC 9112 §6.3); the parser of Node sees to it.
 */
export function announcedLength({
  destroyed,
  headers,
  readableDidRead,
}: Incoming): number | undefined {
  const length = headers['content-length'];
  if (destroyed || readableDidRead || length === undefined) return undefined;
  return /^\d{1,9}$/.test(length) ? Number(length) : undefined;
}

/** Reads a whole body into `chunks`. Rejects when it breaks off. */
export async function readIncoming(incoming: Incoming, chunks: Uint8Array[]): Promise<void> {
  // A short body comes with its head: it is there once the parser has done with both.
  await undefined;
  if (incoming.destroyed) throw new Error(BROKEN_OFF);
  if (incoming.complete) {
    const all = incoming.read();
    if (all !== null) chunks.push(all);
    return;
  }
  await rest(incoming, chunks);
}

function rest(incoming: Incoming, chunks: Uint8Array[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      incoming.off('data', onData);
      incoming.off('end', onEnd);
      incoming.off('error', onBreak);
      incoming.off('close', onBreak);
    };
    const onData = (chunk: Uint8Array) => chunks.push(chunk);
    const onEnd = () => {
      leave();
      resolve();
    };
    const onBreak = (error?: Error) => {
      leave();
      reject(error ?? new Error(BROKEN_OFF));
    };
    incoming.on('data', onData);
    incoming.on('end', onEnd);
    incoming.on('error', onBreak);
    incoming.on('close', onBreak);
  });
}

const BROKEN_OFF = 'The connection closed in the middle of the body.';
