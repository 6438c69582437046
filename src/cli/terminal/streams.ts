import { addAbortSignal, type Readable } from 'node:stream';
import { COLOR, PLAIN, type Style } from './style.ts';

/** Where text goes. Writing never throws: {@link Streams.flush} returns the errors. */
export interface Sink {
  write(text: string | Uint8Array): void;
  /** Resolves once it is written: to `false` when its reader has gone or writing failed. */
  deliver(text: string | Uint8Array): Promise<boolean>;
  readonly isTTY: boolean;
  readonly columns: number;
  /** Whether its width is known. A terminal without one is read by a program (`pty.fork()`). */
  readonly sized: boolean;
  readonly style: Style;
  /** The stream for ora and inquirer, which draw by themselves. */
  readonly node: NodeJS.WriteStream;
}

export interface Source {
  readonly isTTY: boolean;
  readonly node: NodeJS.ReadStream;
}

/** stdout carries only results, stderr everything else. Each may or may not be a terminal. */
export interface Streams {
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Waits until everything that was written has left. */
  flush(): Promise<Unwritten>;
}

/** The first error of each stream that takes no more. A reader that went away (EPIPE) is not our error. */
interface Unwritten {
  readonly stdout: Error | undefined;
  readonly stderr: Error | undefined;
}

interface NodeStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** What the environment says of colour. */
interface ColorSettings {
  /** `undefined`: the terminal decides. */
  readonly color: boolean | undefined;
  readonly dumbTerminal: boolean;
}

/** Creates the streams, each opened when it is first asked for: `--help` needs one of the three. */
export function createStreams(nodes: NodeStreams, settings: ColorSettings): Streams {
  let stdin: Source | undefined;
  let stdout: FlushableSink | undefined;
  let stderr: FlushableSink | undefined;
  return {
    get stdin() {
      stdin ??= { isTTY: nodes.stdin.isTTY === true, node: nodes.stdin };
      return stdin;
    },
    get stdout() {
      stdout ??= createSink(nodes.stdout, settings);
      return stdout;
    },
    get stderr() {
      stderr ??= createSink(nodes.stderr, settings);
      return stderr;
    },
    flush: async () => ({ stdout: await stdout?.flush(), stderr: await stderr?.flush() }),
  };
}

interface FlushableSink extends Sink {
  flush(): Promise<Error | undefined>;
}

/** The width of a terminal that does not say how wide it is. */
const DEFAULT_COLUMNS = 80;

/**
 * A terminal may report 0 columns (`pty.fork()`, `ssh -tt`). ora and inquirer would divide by it and loop
 * for ever.
 */
function widen(node: NodeJS.WriteStream): void {
  const known = () => {
    if (node.columns === 0) node.columns = DEFAULT_COLUMNS;
  };
  known();
  node.on('resize', known);
}

function createSink(node: NodeJS.WriteStream, settings: ColorSettings): FlushableSink {
  let isOver = false;
  let failure: Error | undefined;
  const stop = (error: NodeJS.ErrnoException | null | undefined) => {
    if (!error || isOver) return;
    isOver = true;
    if (error.code !== 'EPIPE') failure = error;
  };
  node.on('error', stop);
  const deliver = async (text: string | Uint8Array) => {
    if (isOver) return false;
    stop(await new Promise<Error | null | undefined>((resolve) => node.write(text, resolve)));
    return !isOver;
  };
  const isTTY = node.isTTY === true;
  const sized = node.columns > 0;
  if (isTTY) widen(node);
  const colored = settings.color ?? (isTTY && !settings.dumbTerminal);
  return {
    write: (text) => {
      if (!isOver) node.write(text, stop);
    },
    deliver,
    flush: async () => {
      await deliver('');
      return failure;
    },
    isTTY,
    get columns() {
      return node.columns || DEFAULT_COLUMNS;
    },
    sized,
    style: colored ? COLOR : PLAIN,
    node,
  };
}

/** Whether a question can be asked and an answer typed: both ends are a terminal. */
export function canAsk(streams: Streams): boolean {
  return streams.stderr.isTTY && streams.stdin.isTTY;
}

/** There is more than was to be read. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/**
 * Everything that a stream gives, as it is.
 * @param limit bytes.
 * @throws TooLarge; the reason of `signal` when it aborts.
 */
export async function readAll(
  stream: Readable,
  limit: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of addAbortSignal(signal, stream)) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > limit) throw new TooLarge();
      chunks.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return Buffer.concat(chunks);
}
