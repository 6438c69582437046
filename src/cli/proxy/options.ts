import { MOST_KEPT } from '../../traffic/exchange.ts';
import type { Options } from '../shell/command.ts';
import type { Given } from '../shell/given.ts';
import { PROXY_PORT } from '../shell/mock-ports.ts';
import { collect, count, fullUrl, port } from '../shell/option-values.ts';
import { placeOptions } from '../shell/place-options.ts';

export const PROXY_OPTIONS = {
  // Not mandatory for commander: its commands would demand it, too.
  '--to <url>': ['the service (required)', fullUrl],
  '--provider <url>': ['stand in front of this provider, too: ID-JAGs need it', fullUrl],
  ...placeOptions(PROXY_PORT),
  '--allow-host <host>': ['answer also requests to this HOST or HOST:PORT; repeatable', collect],
  '--live-port <port>': ['the port of the live view (default: the next free one)', port],
  '--no-live': 'no live view',
  '--open': 'open the live view in the browser',
  '--transcript <file>': 'at the end, write the exchanges to a file, without secrets',
  '--exchanges <number>': [
    'how many exchanges are kept for the transcript and the live view (default: 10000)',
    count(MOST_KEPT),
  ],
  '--fail-on <level>': [
    'exit 1 if a requirement of this level, or of a stricter one, was broken',
    ['must', 'should', 'may'] as const,
  ],
} satisfies Options;

export type ProxyOptions = Given<typeof PROXY_OPTIONS>;
