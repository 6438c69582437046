import type { Source, Streams } from './streams.ts';

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
