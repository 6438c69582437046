import { InvalidArgumentError } from 'commander';
import { LEVELS, ROLES } from '../../conformance/engine/model.ts';
import { DEFAULT_REDIRECT } from '../../conformance/provider/cross-app/given.ts';
import { READINGS } from '../../conformance/service/cross-app/cross-app.ts';
import { readNamingMember } from '../../conformance/service/steps/naming-members.ts';
import { readWriteRequest } from '../../conformance/service/write-request.ts';
import { EMAIL } from '../../conformance/user/email.ts';
import type { CommandSpec, Options } from '../shell/command.ts';
import {
  collect,
  DEFAULT_PATIENCE,
  duration,
  durationOrZero,
  port,
} from '../shell/option-values.ts';
import { REPORT_OPTIONS, splitNames } from './report-options.ts';

/** How long an answer may take. Milliseconds. */
const ANSWER_TIMEOUT = 10_000;
/** How long one run of the agent may last. Milliseconds. */
const AGENT_TIMEOUT = 60_000;
const DEFAULT_PARALLEL = 24;
const MOST_PARALLEL = 64;

/** What a service and a provider are judged with alike: the work of `conformanceTarget`. */
const targetOptions = (
  role: 'service' | 'provider',
  drivers: readonly string[],
  does: string,
): Options => ({
  '--mock': `judge a mock ${role} of its own`,
  '--safe': 'send only what creates nothing',
  ...REPORT_OPTIONS,
  '--timeout <duration>': ['how long an answer may take', duration, ANSWER_TIMEOUT, '10s'],
  '--patience <duration>': [
    'longest wait for something to expire; 0s: never wait',
    durationOrZero,
    DEFAULT_PATIENCE,
    '30s',
  ],
  '--user <driver>': [`who ${does}`, drivers, 'form'],
  '--user-command <command>': 'with --user command: does it, JSON on its stdin',
  '--email <emails>': [
    'emails of users; {n} becomes a random number; repeatable, or with commas',
    collectEmails,
  ],
  '--accounts <file>': 'the users instead: a list of email, password and notes, as YAML',
  '--mail-command <command>':
    'prints the newest mail to a user, for sign-ins by mail; JSON on its stdin',
  '--control <url>': 'the control API that moves the clock (default: that of a running mock)',
  '--no-control': 'do not use a control API',
});

/** What cross-app access is judged with. */
const CROSS_APP_OPTIONS: Options = {
  '--client-id <id>': [
    'a client at the service, which redeems ID-JAGs; a second one tries those of the first',
    collect,
  ],
  '--client-secret <@file|->': ['its secret, from a file or stdin; in the same order', collect],
  '--client-document': 'the suite is the client, by a metadata document that it serves',
  '--subject <sub>': 'the sub of a user whom the service knows (default: new ones)',
  '--reading <text>': ['whether an ID-JAG may be sent again: ema says never', READINGS, 'ema'],
};

const CONTROL_HELP =
  'Secrets are never options: the token of --control is AGENT_AUTH_CONTROL_TOKEN.';

const SERVICE: CommandSpec = {
  summary: 'judge a service',
  description:
    'Registers, claims, calls, revokes and attacks at a service, as agent, user and ' +
    'provider. It leaves registrations behind: judge a test deployment, or use --safe.',
  arguments: [['[url]', 'its base URL, or a protected resource of it']],
  options: {
    ...targetOptions(
      'service',
      ['form', 'browser', 'manual', 'command'],
      'does the user’s part of a claim',
    ),
    '--resource <url>': [
      'a protected resource (default: the URL itself, or /api/resource); for cross-app access a second one',
      collect,
    ],
    ...CROSS_APP_OPTIONS,
    '--chromium <file>':
      'with --user browser: the Chromium to use (default: the first one on the PATH)',
    '--provider-issuer <url>': 'the suite’s provider, as the service is configured to trust it',
    '--provider-key <file>': 'its signing key: a private JWK or PEM, closed to others',
    '--provider-port <port>': ['where it listens on 127.0.0.1 (default: a free port)', port],
    '--mint-command <command>': 'prints an ID-JAG of a trusted provider; JSON on its stdin',
    '--write-request <request>': [
      'a write that it takes with a token, such as \'POST /api/notes {"text":"x"}\'; repeatable',
      collectRead(readWriteRequest),
    ],
    '--naming-member <name>': [
      'a member by which agents name themselves at it, beside the usual ones; repeatable',
      collectRead(readNamingMember),
    ],
    '--rerun': 'judge again each time the service has restarted, until Ctrl-C',
  },
  notes: [
    'The user of a claim signs in and types the code: by the forms of the pages (form), in Chromium ' +
      '(browser, needs the package playwright-core), by you (manual), or by a command (command).',
    CONTROL_HELP,
  ],
  load: async () => (await import('./service.ts')).conformanceService,
  examples: [
    'conformance service --mock',
    'conformance service https://api.example.test --safe',
    'conformance service http://127.0.0.1:8080 --provider-port 4899 --patience 2m',
    'conformance service http://127.0.0.1:8080/mcp --provider-port 4899 --client-id app --client-secret @secret.txt',
    'conformance service http://127.0.0.1:8080 --report junit=junit.xml --report html=report.html',
    'conformance service http://127.0.0.1:8080 --baseline known.yaml --level should',
  ],
};

const PROVIDER: CommandSpec = {
  summary: 'judge a provider',
  description:
    'Signs users in, consents, mints, revokes and attacks at a provider, as agent and ' +
    'user, and takes its events as the services that it mints for. It leaves users and ' +
    'consents behind: judge a test deployment, or use --safe.',
  arguments: [['[url]', 'its issuer']],
  options: {
    ...targetOptions('provider', ['form', 'manual', 'command'], 'signs in and consents'),
    '--client-id <id>': [
      'the agent at the provider, a public client (default: agent-auth); with --client-secret a client ' +
        'that signs its users in by code, and a second one, which tries what is the first one’s',
      collect,
    ],
    '--client-secret <@file|->': ['its secret, from a file or stdin; in the same order', collect],
    '--redirect-uri <url>': `where that client is sent codes, as it is registered; nobody listens there (default: ${DEFAULT_REDIRECT})`,
    '--resource <url>': 'with --client-secret: a resource of the audience',
    '--client-id-there <id>': 'the id of the client at the audience (default: not judged)',
    '--refused-email <email>': 'a user whom policy refuses the audience',
    '--consents-page <url>': 'where a user revokes consents',
    '--id-token-command <command>': 'prints an ID token of a user; JSON on its stdin',
    '--mint-command <command>':
      'prints an ID-JAG of a user for a service, where there is no token exchange; JSON on its stdin',
    '--service-port <port>': [
      'where the suite’s services listen on 127.0.0.1 (default: a free port)',
      port,
    ],
    '--service-url <url>': 'their URL, as the provider knows it',
    '--audience <issuer>': [
      'a service below that URL which it mints for (default: any), repeatable; with --client-secret ' +
        'the issuer of a server that it mints for',
      collect,
    ],
  },
  notes: [
    'A provider that mints only for services that it knows has to know some of the suite’s: fix their URL ' +
      'with --service-port, configure up to nine below it (…/one, …/two, …/three …) at the provider, and name ' +
      'each of them with --audience; scenarios that need more are skipped by name.',
    CONTROL_HELP,
  ],
  load: async () => (await import('./provider.ts')).conformanceProvider,
  examples: [
    'conformance provider --mock',
    'conformance provider https://id.example.test --safe',
    'conformance provider http://127.0.0.1:4801 --patience 3m --consents-page http://127.0.0.1:4801/consents',
    'conformance provider https://id.example.test --client-id app --client-secret @secret.txt --audience https://as.example.test --resource https://as.example.test/mcp',
    'conformance provider http://127.0.0.1:4801 --report junit=junit.xml --report html=report.html',
  ],
};

const AGENT: CommandSpec = {
  summary: 'judge an agent',
  description:
    'Runs services, a provider and a user against an agent: its command runs a few times for each scenario, ' +
    'with AGENT_AUTH_SERVICE, AGENT_AUTH_SCENARIO and AGENT_AUTH_CONTEXT in the environment; the command ' +
    'does the task that the context names and exits 0 when it is done.',
  arguments: [['[command...]', 'the command and its arguments, after --']],
  options: {
    '--watch': 'start no command: judge whichever agent comes to the service that is shown',
    '--port <port>': [
      'with --watch: where the service listens on 127.0.0.1 (default: a free port)',
      port,
    ],
    ...REPORT_OPTIONS,
    '--timeout <duration>': [
      'how long one run of the command may last; with --watch, how long nothing may come',
      duration,
      AGENT_TIMEOUT,
      '60s',
    ],
    '--parallel <number>': [
      'how many runs of the command may be under way at once',
      parallel,
      DEFAULT_PARALLEL,
    ],
  },
  passesOn: true,
  load: async () => (await import('./agent.ts')).conformanceAgent,
  examples: [
    'conformance agent -- agent-auth conformance perform',
    'conformance agent --report html=report.html -- python my_adapter.py',
    "conformance agent --only 'agent-claim*' -- ./adapter.sh",
    'conformance agent --watch',
  ],
};

export const CONFORMANCE: CommandSpec = {
  summary: 'judge a service, an agent or a provider',
  description:
    'Runs the other roles against an implementation and reports what is wrong with it: ' +
    'each finding with what was expected, what was seen, section and exchange. ' +
    'Exit 0 when it conforms, 1 when a must failed, 3 when a baseline is stale, 9 when ' +
    'nothing failed but something that has to be judged was not.',
  commands: {
    service: SERVICE,
    agent: AGENT,
    perform: {
      summary: 'do one task of `conformance agent` with this program',
      description:
        'Does the task of AGENT_AUTH_CONTEXT as this program does it: what `conformance agent` runs to judge ' +
        'agent-auth itself, and an example for adapters of other agents.',
      load: async () => (await import('./perform-task.ts')).conformancePerform,
      examples: ['conformance agent -- agent-auth conformance perform'],
    },
    provider: PROVIDER,
    list: {
      summary: 'list scenarios, their checks, levels and requirements',
      description:
        'Lists every scenario with its checks, their levels and the requirements that they judge.',
      options: {
        '--role <role>': ['only of this role (default: all)', ROLES],
        '--level <level>': ['this level and the stronger ones (default: all)', LEVELS],
      },
      load: async () => (await import('./list.ts')).conformanceList,
      examples: ['conformance list --role service', 'conformance list --level must --json'],
    },
  },
  examples: [
    'conformance service http://127.0.0.1:4800',
    'conformance agent -- agent-auth conformance perform',
    'conformance service http://127.0.0.1:8080 --since before.json',
    'conformance list',
  ],
};

function parallel(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_PARALLEL) return number;
  throw new InvalidArgumentError(`A number from 1 to ${MOST_PARALLEL}.`);
}

function collectEmails(value: string, previous: readonly string[] = []): readonly string[] {
  const emails = splitNames(value);
  if (emails.length > 0 && emails.every((email) => EMAIL.test(email))) {
    return [...previous, ...emails];
  }
  throw new InvalidArgumentError('Name an email.');
}

/** What is wrong with a value, by a TypeError, is said of its option. */
function collectRead<Value>(read: (text: string) => Value) {
  return (text: string, previous: readonly Value[] = []): readonly Value[] => {
    try {
      return [...previous, read(text)];
    } catch (error) {
      throw error instanceof TypeError ? new InvalidArgumentError(error.message) : error;
    }
  };
}
