import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Messages as lines on two streams, at most 10 MB each. */
export function createStdioTransport(stdin: Readable, stdout: Writable): Transport {
  return new StdioServerTransport(stdin, stdout);
}
