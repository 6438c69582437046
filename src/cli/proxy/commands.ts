import type { CommandSpec } from '../shell/command.ts';
import { PROXY_PORT } from '../shell/mock-ports.ts';
import { fullUrl } from '../shell/option-values.ts';
import { PROXY_OPTIONS } from './options.ts';

export const PROXY: CommandSpec = {
  summary: 'stand between an agent and a service, and show what they say',
  description:
    'Passes requests on to a service and its answers back, with its own URL in place of the ' +
    "service's, so that an unchanged agent talks through it; shows each exchange and what it means. " +
    `Listens on 127.0.0.1:${PROXY_PORT}, or on the next free port.`,
  options: PROXY_OPTIONS,
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
