import { type Command, InvalidArgumentError, Option } from 'commander';
import { MOST_KEPT } from '../../exchanges/exchange.ts';
import { HOST_NAME, isHostName } from '../../protocol/host-name.ts';
import { urlProblem } from '../../protocol/urls.ts';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { collect, count, port } from '../shell/option-values.ts';
import type { ProxyFlags } from './proxy.ts';

export function addProxyCommand(program: Command, run: Run): void {
  const proxy = program
    .command('proxy')
    .summary('stand between an agent and a service, and show what they say')
    .description(
      'Passes requests on to a service and its answers back, with its own URL in place of the ' +
        "service's, so that an unchanged agent talks through it; shows each exchange and what it means. " +
        'Listens on 127.0.0.1:4840, or on the next free port.',
    )
    .requiredOption('--to <url>', 'the service', fullUrl)
    .option('--provider <url>', 'stand in front of this provider, too: ID-JAGs need it', fullUrl)
    .option(
      '--port <port>',
      'the port; if it is taken, fail instead of using the next free one',
      port,
    )
    .option(
      '--host <host>',
      'the host name or IP address to listen on (default: 127.0.0.1)',
      hostName,
    )
    .option(
      '--allow-host <host>',
      'answer also requests to this HOST or HOST:PORT; repeatable',
      collect,
    )
    .option('--transcript <file>', 'at the end, write the exchanges to a file, without secrets')
    .option(
      '--exchanges <count>',
      'how many exchanges are kept for the transcript (default: 10000)',
      count(MOST_KEPT),
    )
    .addOption(
      new Option(
        '--fail-on <level>',
        'exit 1 if a requirement of this level, or of a stricter one, was broken',
      ).choices(['must', 'should', 'may']),
    )
    .action((options: ProxyFlags) =>
      run(async (context) => (await import('./proxy.ts')).proxy(context, options)),
    );
  notes(proxy, [
    'Servers that the metadata leads to are each reached at a further port. Nothing that is signed is ' +
      'changed: an ID-JAG for the proxy itself is refused before it is sent, unless it comes from ' +
      '--provider. docs/proxy.md says what is rewritten, and what is not.',
  ]);
  examples(
    proxy,
    'proxy --to https://api.example.com',
    'proxy --to http://127.0.0.1:4800 --provider http://127.0.0.1:4801',
    'proxy --to https://api.example.com --transcript run.json --fail-on must --json',
  );
}

function fullUrl(text: string): string {
  if (urlProblem(text) === undefined) return text;
  throw new InvalidArgumentError('Use a full URL, https or on this machine.');
}

function hostName(text: string): string {
  if (isHostName(text)) return text;
  throw new InvalidArgumentError(`Use ${HOST_NAME}.`);
}
