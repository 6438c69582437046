import { NO_BODY, type SeenBody, seenBody } from '../../exchanges/seen-body.ts';
import type { Connection } from '../http/connection.ts';
import { PassingBody } from './passing-body.ts';
import type { SeenAnswer } from './recording.ts';

type Outgoing = Connection['outgoing'];

/** The body of a request, as it is read. */
export function watchIncoming({ incoming }: Connection): SeenBody {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && length === '0') return NO_BODY;
  const body = new PassingBody();
  // Not by `on`, which would make it flow before there is a reader.
  incoming.prependListener('data', (chunk: Uint8Array) => body.take(chunk));
  incoming.prependListener('end', () => {
    body.isWhole = true;
  });
  return body;
}

const WATCH = Symbol('watch');

/** What is known of an answer while it is written. */
interface Watch {
  readonly begun: (answer: SeenAnswer) => void;
  body: SeenBody | undefined;
}

interface Watched extends Outgoing {
  [WATCH]: Watch;
}

/**
 * Tells of an answer when it has begun, before its reader can have seen it. All answers have the same functions:
 * with closures of their own they would outlive many collections of garbage.
 */
export function watchOutgoing({ outgoing }: Connection, begun: Watch['begun']): void {
  Object.assign(outgoing, { [WATCH]: { begun, body: undefined }, ...WATCHED });
}

const WATCHED = {
  writeHead(this: Watched, ...given: unknown[]): Outgoing {
    Reflect.apply(rightOf(this).writeHead, this, given);
    const watch = this[WATCH];
    const headers = { date: this.getHeader('date'), ...(given.at(-1) as object) };
    const head = { status: this.statusCode, headers };
    // What follows in this turn is seen first, which is all of most answers.
    void Promise.resolve().then(() => watch.begun({ ...head, body: watch.body ?? passing(watch) }));
    return this;
  },
  write(this: Watched, ...given: unknown[]): boolean {
    passing(this[WATCH]).take(bytesOf(given[0]));
    return Reflect.apply(rightOf(this).write, this, given);
  },
  end(this: Watched, ...given: unknown[]): Outgoing {
    const watch = this[WATCH];
    const [chunk] = given;
    // Most have one text, which is kept as it is.
    if (watch.body === undefined && typeof chunk === 'string') {
      watch.body = seenBody(chunk);
    } else {
      passing(watch).take(bytesOf(chunk));
      passing(watch).isWhole = true;
    }
    return Reflect.apply(rightOf(this).end, this, given);
  },
};

function rightOf(outgoing: Outgoing): Outgoing {
  return Object.getPrototypeOf(outgoing);
}

function passing(watch: Watch): PassingBody {
  const body = watch.body instanceof PassingBody ? watch.body : new PassingBody();
  watch.body = body;
  return body;
}

function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  return chunk instanceof Uint8Array ? chunk : new Uint8Array();
}
