import { type Command, Option } from 'commander';
import { MOST_KEPT } from '../../exchanges/exchange.ts';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { PROXY_PORT } from '../shell/mock-ports.ts';
import { collect, count, fullUrl, port } from '../shell/option-values.ts';
import { addPlaceOptions } from '../shell/place-options.ts';
import type { ProxyOpenFlags } from './open.ts';
import type { ProxyFlags } from './proxy.ts';

export function addProxyCommand(program: Command, run: Run): void {
  const proxy = program
    .command('proxy')
    .summary('stand between an agent and a service, and show what they say')
    .description(
      'Passes requests on to a service and its answers back, with its own URL in place of the ' +
        "service's, so that an unchanged agent talks through it; shows each exchange and what it means. " +
        `Listens on 127.0.0.1:${PROXY_PORT}, or on the next free port.`,
    )
    // Not mandatory for commander: its commands would demand it, too.
    .option('--to <url>', 'the service (required)', fullUrl)
    .option('--provider <url>', 'stand in front of this provider, too: ID-JAGs need it', fullUrl);
  addPlaceOptions(proxy, PROXY_PORT)
    .option(
      '--allow-host <host>',
      'answer also requests to this HOST or HOST:PORT; repeatable',
      collect,
    )
    .option('--live-port <port>', 'the port of the live view (default: the next free one)', port)
    .option('--no-live', 'no live view')
    .option('--open', 'open the live view in the browser')
    .option('--transcript <file>', 'at the end, write the exchanges to a file, without secrets')
    .option(
      '--exchanges <number>',
      'how many exchanges are kept for the transcript and the live view (default: 10000)',
      count(MOST_KEPT),
    )
    .addOption(
      new Option(
        '--fail-on <level>',
        'exit 1 if a requirement of this level, or of a stricter one, was broken',
      ).choices(['must', 'should', 'may']),
    )
    .action(({ to, ...options }: Omit<ProxyFlags, 'to'> & { readonly to?: string }) => {
      if (to === undefined) {
        return proxy.error("error: required option '--to <url>' not specified", {
          code: 'commander.missingMandatoryOptionValue',
        });
      }
      return run(async (context) =>
        (await import('./proxy.ts')).proxy(context, { ...options, to }),
      );
    });
  addOpenCommand(proxy, run);
  notes(proxy, [
    'Servers that the metadata leads to are each reached at a further port. Nothing that is signed is ' +
      'changed: an ID-JAG for the proxy itself is refused before it is sent, unless it comes from ' +
      '--provider. docs/proxy.md says what is rewritten, and what is not.',
  ]);
  examples(
    proxy,
    'proxy --to https://api.example.com --open',
    'proxy --to http://127.0.0.1:4800 --provider http://127.0.0.1:4801',
    'proxy --to https://api.example.com --transcript run.json --fail-on must --json',
  );
}

function addOpenCommand(proxy: Command, run: Run): void {
  examples(
    proxy
      .command('open')
      .summary('open the live view of the running proxy in the browser')
      .description('Opens the live view. The link is good once, for 60 seconds.')
      .option(
        '--live <url>',
        'where the view is (default: that of the only proxy that runs)',
        fullUrl,
      )
      .option('--print', 'print the link, open no browser')
      .action((options: ProxyOpenFlags) =>
        run(async (context) => (await import('./open.ts')).proxyOpen(context, options)),
      ),
    'proxy open',
    'proxy open --print',
  );
}
