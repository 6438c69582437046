import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/**
 * Messages as lines on two streams, at most 10 MB each.
 * @param onNoJson for each line that is no JSON: the package leaves it out unsaid.
 */
export function createStdioTransport(
  stdin: Readable,
  stdout: Writable,
  onNoJson: () => void,
): Transport {
  const look = lookAtLines(onNoJson);
  // As long as the package itself listens: before, what came would be lost to it; after, stdin would stay open.
  class WatchedTransport extends StdioServerTransport {
    override start(): Promise<void> {
      stdin.on('data', look);
      return super.start();
    }
    override close(): Promise<void> {
      stdin.off('data', look);
      return super.close();
    }
  }
  return new WatchedTransport(stdin, stdout);
}

function lookAtLines(onNoJson: () => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    // A letter for each byte: no character is cut between two chunks, and what is JSON stays JSON.
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '' && !isJson(line)) onNoJson();
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
