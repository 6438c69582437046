import { MOST_KEPT } from '../../traffic/exchange.ts';
import type { CommandSpec } from '../shell/command.ts';
import { PROXY_PORT } from '../shell/mock-ports.ts';
import { collect, count, fullUrl, port } from '../shell/option-values.ts';
import { placeOptions } from '../shell/place-options.ts';

export const PROXY: CommandSpec = {
  summary: 'stand between an agent and a service, and show what they say',
  description:
    'Passes requests on to a service and its answers back, with its own URL in place of the ' +
    "service's, so that an unchanged agent talks through it; shows each exchange and what it means. " +
    `Listens on 127.0.0.1:${PROXY_PORT}, or on the next free port.`,
  options: {
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
      ['must', 'should', 'may'],
    ],
  },
  notes: [
    'Servers that the metadata leads to are each reached at a further port. Nothing that is signed is ' +
      'changed: an ID-JAG for the proxy itself is refused before it is sent, unless it comes from ' +
      '--provider. docs/proxy.md says what is rewritten, and what is not.',
  ],
  load: async () => (await import('./proxy.ts')).proxy,
  examples: [
    'proxy --to https://api.example.com --open',
    'proxy --to http://127.0.0.1:4800 --provider http://127.0.0.1:4801',
    'proxy --to https://api.example.com --transcript run.json --fail-on must --json',
  ],
  commands: {
    open: {
      summary: 'open the live view of the running proxy in the browser',
      description: 'Opens the live view. The link is good once, for 60 seconds.',
      options: {
        '--live <url>': ['where the view is (default: that of the only proxy that runs)', fullUrl],
        '--print': 'print the link, open no browser',
      },
      load: async () => (await import('./open.ts')).proxyOpen,
      examples: ['proxy open', 'proxy open --print'],
    },
  },
};
