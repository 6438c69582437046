import type { Environment } from '../environment.ts';
import { COLOR, PLAIN, type Style } from './style.ts';

/** Where text goes. Writing never fails: a reader that went away (EPIPE) is not our error. */
export interface Sink {
  write(text: string | Uint8Array): void;
  readonly isTTY: boolean;
  readonly columns: number;
  /** Whether it said how wide it is. One that does not is read by a program (`pty.fork()`). */
  readonly sized: boolean;
  readonly style: Style;
  /** For ora and inquirer, which draw by themselves. */
  readonly node: NodeJS.WriteStream;
}

export interface Source {
  readonly isTTY: boolean;
  readonly node: NodeJS.ReadStream;
}

/** stdout carries results alone, stderr everything for people. Each has its own idea of a terminal. */
export interface Streams {
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

export interface NodeStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Each stream is opened when it is first asked for: `--help` needs one of the three. */
export function createStreams(nodes: NodeStreams, environment: Environment): Streams {
  let stdin: Source | undefined;
  let stdout: Sink | undefined;
  let stderr: Sink | undefined;
  return {
    get stdin() {
      stdin ??= { isTTY: nodes.stdin.isTTY === true, node: nodes.stdin };
      return stdin;
    },
    get stdout() {
      stdout ??= createSink(nodes.stdout, environment);
      return stdout;
    },
    get stderr() {
      stderr ??= createSink(nodes.stderr, environment);
      return stderr;
    },
  };
}

/** Of a terminal that does not say how wide it is. */
const DEFAULT_COLUMNS = 80;

/**
 * A terminal of 0 columns (`pty.fork()`, `ssh -tt`) does not know its width. What draws by itself would
 * divide by it, and count lines for ever.
 */
function widen(node: NodeJS.WriteStream): void {
  const known = () => {
    if (node.columns === 0) node.columns = DEFAULT_COLUMNS;
  };
  known();
  node.on('resize', known);
}

function createSink(node: NodeJS.WriteStream, environment: Environment): Sink {
  let readerLeft = false;
  node.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    readerLeft = true;
  });
  const isTTY = node.isTTY === true;
  const sized = node.columns > 0;
  if (isTTY) widen(node);
  const colored = environment.color ?? (isTTY && !environment.dumbTerminal);
  return {
    write: (text) => {
      if (!readerLeft) node.write(text);
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
  return streams.stdin.isTTY && streams.stderr.isTTY;
}

/** Everything on stdin, as it is. */
export async function readAll(source: Source): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source.node) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
