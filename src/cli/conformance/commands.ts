import { type Command, Option } from 'commander';
import { LEVELS, ROLES } from '../../conformance/engine/model.ts';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { DEFAULT_PATIENCE, duration, port } from '../shell/option-values.ts';
import { addConformanceAgentCommands } from './agent-commands.ts';
import type { ConformanceListOptions } from './list.ts';
import { addConformanceProviderCommands } from './provider-commands.ts';
import { withReportOptions } from './report-options.ts';
import type { ConformanceServiceOptions } from './service.ts';

/** How long an answer may take. Milliseconds. */
const DEFAULT_TIMEOUT = 10_000;

export function addConformanceCommands(program: Command, run: Run): void {
  const conformance = program
    .command('conformance')
    .summary('judge a service, an agent or a provider')
    .description(
      'Plays the other roles to an implementation and says what is wrong with it: ' +
        'each finding with what was expected, what was seen, section and exchange. ' +
        'Exit 0 when nothing that has to hold failed, 1 when something did, 3 when a ' +
        'baseline is stale.',
    );
  addService(conformance, run);
  addConformanceAgentCommands(conformance, run);
  addConformanceProviderCommands(conformance, run);
  addList(conformance, run);
  examples(
    conformance,
    'conformance service http://127.0.0.1:4800',
    'conformance agent -- agent-auth conformance perform',
    'conformance list',
  );
}

function addService(conformance: Command, run: Run): void {
  const service = conformance
    .command('service')
    .summary('judge a service')
    .description(
      'Registers, claims, calls, revokes and attacks at a service, as agent, user and ' +
        'provider. It leaves registrations behind: judge one of tests, or use --safe.',
    )
    .argument('[url]', 'its base address, or a protected address of it')
    .option('--mock', 'judge a mock service of its own')
    .option(
      '--resource <url>',
      'a protected address (default: the address itself, or /api/resource)',
    )
    .option('--safe', 'send only what creates nothing');
  withReportOptions(service)
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
    .addOption(
      new Option('--user <driver>', 'who does the user’s part of a claim')
        .choices(['form', 'browser', 'manual', 'command'])
        .default('form'),
    )
    .option('--user-command <command>', 'with --user command: does it, JSON on its stdin')
    .option('--chromium <file>', 'with --user browser: which (default: the first one on the PATH)')
    .option('--email <pattern>', 'addresses of users; {n} becomes a random number')
    .option('--provider-issuer <url>', 'the suite’s provider, as the service was told to trust it')
    .option('--provider-key <file>', 'its signing key: a private JWK or PEM, closed to others')
    .option('--provider-port <port>', 'where it listens on 127.0.0.1', port)
    .option('--mint-command <command>', 'prints an ID-JAG of a trusted provider; JSON on its stdin')
    .option(
      '--control <url>',
      'the control API that moves the clock (default: that of a running mock)',
    )
    .option('--no-control', 'use none');
  notes(service, SERVICE_HELP);
  examples(
    service.action((url: string | undefined, options: ConformanceServiceOptions) =>
      run(async (context) =>
        (await import('./service.ts')).conformanceService(context, url, options),
      ),
    ),
    'conformance service --mock',
    'conformance service https://api.example.test --safe',
    'conformance service http://127.0.0.1:8080 --provider-port 4899 --patience 2m',
    'conformance service http://127.0.0.1:8080 --report junit=junit.xml --report html=report.html',
    'conformance service http://127.0.0.1:8080 --baseline known.yaml --level should',
  );
}

const SERVICE_HELP = [
  'The user of a claim signs in and types the code: by the forms of the pages (form), in Chromium ' +
    '(browser, needs the package playwright-core), by you (manual), or by a command (command).',
  'Secrets are never options: the token of --control is AGENT_AUTH_CONTROL_TOKEN.',
];

function addList(conformance: Command, run: Run): void {
  examples(
    conformance
      .command('list')
      .summary('list scenarios, their checks, levels and requirements')
      .description('Lists everything that can be judged, from the code that judges.')
      .addOption(new Option('--role <role>', 'of this role alone').choices(ROLES))
      .addOption(new Option('--level <level>', 'this level and the stronger ones').choices(LEVELS))
      .action((options: ConformanceListOptions) =>
        run(async (context) => (await import('./list.ts')).conformanceList(context, options)),
      ),
    'conformance list --role service',
    'conformance list --level must --json',
  );
}
