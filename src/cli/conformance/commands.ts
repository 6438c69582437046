import { type Command, InvalidArgumentError, Option } from 'commander';
import { LEVELS, ROLES } from '../../conformance/engine/model.ts';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { collect, duration, port } from '../shell/option-values.ts';
import type { ConformanceAgentOptions } from './agent.ts';
import { collectNamingMembers, collectWrites } from './collect-requests.ts';
import type { ConformanceListOptions } from './list.ts';
import type { ConformanceProviderOptions } from './provider.ts';
import { withAccounts, withSelectOptions, withTimes } from './select-options.ts';
import type { ConformanceServiceOptions } from './service.ts';

/** How long one run of the agent may last. Milliseconds. */
const AGENT_TIMEOUT = 60_000;
const DEFAULT_PARALLEL = 24;
const MOST_PARALLEL = 64;

export function addConformanceCommands(program: Command, run: Run, isListed = false): void {
  const conformance = program
    .command('conformance')
    .summary('judge a service, an agent or a provider')
    .description(
      'Runs the other roles against an implementation and reports what is wrong with it: ' +
        'each finding with what was expected, what was seen, section and exchange. ' +
        'Exit 0 when it conforms, 1 when a must failed, 3 when a baseline is stale, 9 when ' +
        'nothing failed but something that has to be judged was not.',
    );
  // In a list of commands it stands without its own.
  if (isListed) return;
  addService(conformance, run);
  addAgent(conformance, run);
  addPerform(conformance, run);
  addProvider(conformance, run);
  addList(conformance, run);
  examples(
    conformance,
    'conformance service http://127.0.0.1:4800',
    'conformance agent -- agent-auth conformance perform',
    'conformance service http://127.0.0.1:8080 --since before.json',
    'conformance list',
  );
}

function addService(conformance: Command, run: Run): void {
  const service = conformance
    .command('service')
    .summary('judge a service')
    .description(
      'Registers, claims, calls, revokes and attacks at a service, as agent, user and ' +
        'provider. It leaves registrations behind: judge a test deployment, or use --safe.',
    )
    .argument('[url]', 'its base URL, or a protected resource of it')
    .option('--mock', 'judge a mock service of its own')
    .option('--resource <url>', 'a protected resource (default: the URL itself, or /api/resource)');
  withTargetOptions(service)
    .addOption(
      new Option('--user <driver>', 'who does the user’s part of a claim')
        .choices(['form', 'browser', 'manual', 'command'])
        .default('form'),
    )
    .option('--user-command <command>', 'with --user command: does it, JSON on its stdin')
    .option(
      '--chromium <file>',
      'with --user browser: the Chromium to use (default: the first one on the PATH)',
    );
  withAccounts(service)
    .option(
      '--provider-issuer <url>',
      'the suite’s provider, as the service is configured to trust it',
    )
    .option('--provider-key <file>', 'its signing key: a private JWK or PEM, closed to others')
    .option('--provider-port <port>', 'where it listens on 127.0.0.1 (default: a free port)', port)
    .option('--mint-command <command>', 'prints an ID-JAG of a trusted provider; JSON on its stdin')
    .option(
      '--write-request <request>',
      'a write that it takes with a token, such as \'POST /api/notes {"text":"x"}\'; repeatable',
      collectWrites,
    )
    .option(
      '--naming-member <name>',
      'a member by which agents name themselves at it, beside the usual ones; repeatable',
      collectNamingMembers,
    );
  withControl(service).option(
    '--rerun',
    'judge again each time the service has restarted, until Ctrl-C',
  );
  notes(service, SERVICE_HELP);
  examples(
    service.action((url: string | undefined, options: ConformanceServiceOptions) =>
      run(async (context) => {
        const { SERVICE_ROLE } = await import('./service.ts');
        return (await import('./target.ts')).conformanceTarget(context, SERVICE_ROLE, url, options);
      }),
    ),
    'conformance service --mock',
    'conformance service https://api.example.test --safe',
    'conformance service http://127.0.0.1:8080 --provider-port 4899 --patience 2m',
    'conformance service http://127.0.0.1:8080 --report junit=junit.xml --report html=report.html',
    'conformance service http://127.0.0.1:8080 --baseline known.yaml --level should',
  );
}

const CONTROL_HELP =
  'Secrets are never options: the token of --control is AGENT_AUTH_CONTROL_TOKEN.';

const SERVICE_HELP = [
  'The user of a claim signs in and types the code: by the forms of the pages (form), in Chromium ' +
    '(browser, needs the package playwright-core), by you (manual), or by a command (command).',
  CONTROL_HELP,
];

function addProvider(conformance: Command, run: Run): void {
  const provider = conformance
    .command('provider')
    .summary('judge a provider')
    .description(
      'Signs users in, consents, mints, revokes and attacks at a provider, as agent and ' +
        'user, and takes its events as the services that it mints for. It leaves users and ' +
        'consents behind: judge a test deployment, or use --safe.',
    )
    .argument('[url]', 'its issuer')
    .option('--mock', 'judge a mock provider of its own');
  withTargetOptions(provider)
    .option('--client-id <id>', 'the agent at the provider, a public client', 'agent-auth')
    .addOption(
      new Option('--user <driver>', 'who signs in and consents')
        .choices(['form', 'manual', 'command'])
        .default('form'),
    )
    .option('--user-command <command>', 'with --user command: does it, JSON on its stdin');
  withAccounts(provider)
    .option('--consents-page <url>', 'where a user revokes consents')
    .option('--id-token-command <command>', 'prints an ID token of a user; JSON on its stdin')
    .option(
      '--mint-command <command>',
      'prints an ID-JAG of a user for a service, where there is no token exchange; JSON on its stdin',
    )
    .option(
      '--service-port <port>',
      'where the suite’s services listen on 127.0.0.1 (default: a free port)',
      port,
    )
    .option('--service-url <url>', 'their URL, as the provider knows it')
    .option(
      '--audience <issuer>',
      'a service below that URL which it mints for (default: any); repeatable',
      collect,
    );
  withControl(provider);
  notes(provider, PROVIDER_HELP);
  examples(
    provider.action((url: string | undefined, options: ConformanceProviderOptions) =>
      run(async (context) => {
        const { PROVIDER_ROLE } = await import('./provider.ts');
        return (await import('./target.ts')).conformanceTarget(
          context,
          PROVIDER_ROLE,
          url,
          options,
        );
      }),
    ),
    'conformance provider --mock',
    'conformance provider https://id.example.test --safe',
    'conformance provider http://127.0.0.1:4801 --patience 3m --consents-page http://127.0.0.1:4801/consents',
    'conformance provider http://127.0.0.1:4801 --report junit=junit.xml --report html=report.html',
  );
}

const PROVIDER_HELP = [
  'A provider that mints only for services that it knows has to know some of the suite’s: fix their URL ' +
    'with --service-port, configure up to nine below it (…/one, …/two, …/three …) at the provider, and name ' +
    'each of them with --audience; scenarios that need more are skipped by name.',
  CONTROL_HELP,
];

function addAgent(conformance: Command, run: Run): void {
  const agent = conformance
    .command('agent')
    .summary('judge an agent')
    .description(
      'Runs services, a provider and a user against an agent: its command runs a few times for each scenario, ' +
        'with AGENT_AUTH_SERVICE, AGENT_AUTH_SCENARIO and AGENT_AUTH_CONTEXT in the environment; the command ' +
        'does the task that the context names and exits 0 when it is done.',
    )
    .argument('[command...]', 'the command and its arguments, after --')
    .option('--watch', 'start no command: judge whichever agent comes to the service that is shown')
    .option(
      '--port <port>',
      'with --watch: where the service listens on 127.0.0.1 (default: a free port)',
      port,
    )
    .allowUnknownOption();
  withReportOptions(agent)
    .addOption(
      new Option(
        '--timeout <duration>',
        'how long one run of the command may last; with --watch, how long nothing may come',
      )
        .argParser(duration)
        .default(AGENT_TIMEOUT, '60s'),
    )
    .addOption(
      new Option('--parallel <number>', 'how many runs of the command may be under way at once')
        .argParser(parallel)
        .default(DEFAULT_PARALLEL),
    );
  examples(
    agent.action((words: readonly string[], options: ConformanceAgentOptions) =>
      run(async (context) =>
        (await import('./agent.ts')).conformanceAgent(context, words, options),
      ),
    ),
    'conformance agent -- agent-auth conformance perform',
    'conformance agent --report html=report.html -- python my_adapter.py',
    "conformance agent --only 'agent-claim*' -- ./adapter.sh",
    'conformance agent --watch',
  );
}

function addPerform(conformance: Command, run: Run): void {
  examples(
    conformance
      .command('perform')
      .summary('do one task of `conformance agent` with this program')
      .description(
        'Does the task of AGENT_AUTH_CONTEXT as this program does it: what `conformance agent` runs to judge ' +
          'agent-auth itself, and an example for adapters of other agents.',
      )
      .action(() =>
        run(async (context) => (await import('./perform-task.ts')).conformancePerform(context)),
      ),
    'conformance agent -- agent-auth conformance perform',
  );
}

function addList(conformance: Command, run: Run): void {
  examples(
    conformance
      .command('list')
      .summary('list scenarios, their checks, levels and requirements')
      .description(
        'Lists every scenario with its checks, their levels and the requirements that they judge.',
      )
      .addOption(new Option('--role <role>', 'only of this role (default: all)').choices(ROLES))
      .addOption(
        new Option('--level <level>', 'this level and the stronger ones (default: all)').choices(
          LEVELS,
        ),
      )
      .action((options: ConformanceListOptions) =>
        run(async (context) => (await import('./list.ts')).conformanceList(context, options)),
      ),
    'conformance list --role service',
    'conformance list --level must --json',
  );
}

/** What `service` and `provider` take alike; their work is `conformanceTarget`. */
function withTargetOptions(command: Command): Command {
  command.option('--safe', 'send only what creates nothing');
  return withTimes(withReportOptions(command));
}

function withControl(command: Command): Command {
  return command
    .option(
      '--control <url>',
      'the control API that moves the clock (default: that of a running mock)',
    )
    .option('--no-control', 'do not use a control API');
}

/** What all three take; their work is `judgeAndReport`. */
function withReportOptions(command: Command): Command {
  return withSelectOptions(command)
    .option(
      '--report <format>',
      'terminal, json, junit, markdown or html; FORMAT=FILE writes a file, FORMAT=- to stdout; repeatable',
      collect,
    )
    .option(
      '--baseline <file>',
      'known failures: exit 1 only for others, 3 when one of them passes now',
    )
    .option('--write-baseline <file>', 'write what fails now to a baseline, and exit 0')
    .option(
      '--since <report>',
      'the JSON report of an earlier run: say what passes and what fails since; the exit code stays',
    )
    .option('--verbose', 'show every check, and the whole exchange of each finding');
}

function parallel(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_PARALLEL) return number;
  throw new InvalidArgumentError(`A number from 1 to ${MOST_PARALLEL}.`);
}
