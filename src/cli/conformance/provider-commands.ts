import { type Command, Option } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { collect, DEFAULT_PATIENCE, duration, port } from '../shell/option-values.ts';
import type { ConformanceProviderOptions } from './provider.ts';
import { withReportOptions } from './report-options.ts';

/** How long an answer may take. Milliseconds. */
const DEFAULT_TIMEOUT = 10_000;

export function addConformanceProviderCommands(conformance: Command, run: Run): void {
  const provider = conformance
    .command('provider')
    .summary('judge a provider')
    .description(
      'Signs users in, consents, mints, revokes and attacks at a provider, as agent and ' +
        'user, and takes its events as the services that it mints for. It leaves users and ' +
        'consents behind: judge a provider of tests, or use --safe.',
    )
    .argument('[url]', 'its issuer')
    .option('--mock', 'judge a mock provider of its own')
    .option('--safe', 'send only what creates nothing');
  withReportOptions(provider)
    .addOption(
      new Option('--timeout <duration>', 'how long an answer may take')
        .argParser(duration)
        .default(DEFAULT_TIMEOUT, '10s'),
    )
    .addOption(
      new Option('--patience <duration>', 'how long may be waited for one thing to expire')
        .argParser(duration)
        .default(DEFAULT_PATIENCE, '10s'),
    )
    .option('--client-id <id>', 'the agent at the provider, a public client', 'agent-auth')
    .addOption(
      new Option('--user <driver>', 'who signs in and consents')
        .choices(['form', 'manual', 'command'])
        .default('form'),
    )
    .option('--user-command <command>', 'with --user command: does it, JSON on its stdin')
    .option('--email <pattern>', 'addresses of users; {n} becomes a random number')
    .option('--consents-page <url>', 'where a user takes consents back')
    .option('--id-token-command <command>', 'prints an ID token of a user; JSON on its stdin')
    .option('--service-port <port>', 'where the suite’s services listen on 127.0.0.1', port)
    .option('--service-url <url>', 'their address, as the provider knows it')
    .option(
      '--audience <issuer>',
      'a service below that address which it mints for (default: any); repeatable',
      collect,
    )
    .option(
      '--control <url>',
      'the control API that moves the clock (default: that of a running mock)',
    )
    .option('--no-control', 'use none');
  notes(provider, PROVIDER_HELP);
  examples(
    provider.action((url: string | undefined, options: ConformanceProviderOptions) =>
      run(async (context) =>
        (await import('./provider.ts')).conformanceProvider(context, url, options),
      ),
    ),
    'conformance provider --mock',
    'conformance provider https://id.example.test --safe',
    'conformance provider http://127.0.0.1:4801 --patience 3m --consents-page http://127.0.0.1:4801/consents',
    'conformance provider http://127.0.0.1:4801 --report junit=junit.xml --report html=report.html',
  );
}

const PROVIDER_HELP = [
  'A provider that mints for known services alone has to know some of the suite’s: fix their address ' +
    'with --service-port, tell the provider three or more below it (…/one, …/two, …/three), and name ' +
    'each of them with --audience; scenarios that need more are left out by name.',
  'Secrets are never options: the token of --control is AGENT_AUTH_CONTROL_TOKEN.',
];
