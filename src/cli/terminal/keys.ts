import type { Source, Streams } from './streams.ts';

/** A link whose text is its own URL (OSC 8). */
export function hyperlink(url: string): string {
  return `\u001b]8;;${url}\u001b\\${url}\u001b]8;;\u001b\\`;
}

/** Back to the beginning of the line `rows` above, and everything from there on taken away. */
export function eraseUp(rows: number): string {
  return `\u001b[${rows}F\u001b[0J`;
}

/** Asks the terminal to put text on its clipboard, also through SSH (OSC 52). */
export function copyToClipboard(text: string): string {
  return `\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`;
}

const SHOW_CURSOR = '\u001b[?25h';
const HIDE_CURSOR = '\u001b[?25l';

type Key = 'enter' | 'interrupt' | 'suspend' | (string & {});

/**
 * Calls `onKey` for each key until the returned function is called. Raw mode swallows Ctrl-C and Ctrl-Z,
 * so they arrive here as `interrupt` and `suspend`. Without a terminal on stdin nothing is read.
 */
export function listenForKeys(source: Source, onKey: (key: Key) => void): () => void {
  if (!source.isTTY) return () => {};
  const { node } = source;
  const onData = (data: Buffer | string) => {
    // An escape sequence (an arrow, a paste marker) is no key of ours, nor are its letters.
    const text = String(data);
    if (text.startsWith('\u001b')) return;
    for (const char of text) onKey(nameOf(char));
  };
  node.setRawMode(true);
  node.on('data', onData);
  node.resume();
  return () => {
    node.off('data', onData);
    node.setRawMode(false);
    node.pause();
  };
}

/**
 * What a terminal that is not read raw does on Ctrl-Z: the whole job stops, `npx` around this process, too. It
 * returns when the job goes on (`fg`). Windows has no such stop.
 */
export function suspendJob({ stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'>): void {
  if (process.platform === 'win32') return;
  stdin.node.setRawMode(false);
  stderr.write(SHOW_CURSOR);
  process.kill(0, 'SIGTSTP');
  stderr.write(HIDE_CURSOR);
  stdin.node.setRawMode(true);
}

function nameOf(char: string): Key {
  if (char === '\r' || char === '\n') return 'enter';
  if (char === '\u0003') return 'interrupt';
  if (char === '\u001a') return 'suspend';
  return char.toLowerCase();
}
