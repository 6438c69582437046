import type { Source } from './streams.ts';

export type Key = 'enter' | 'interrupt' | (string & {});

/**
 * Calls `onKey` for each key until the returned function is called. Raw mode swallows Ctrl-C, so it
 * arrives here as `interrupt`. Without a terminal on stdin nothing is read.
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

function nameOf(char: string): Key {
  if (char === '\r' || char === '\n') return 'enter';
  if (char === '\u0003') return 'interrupt';
  return char.toLowerCase();
}
