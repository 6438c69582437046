import { InvalidArgumentError } from 'commander';
import { LEVELS, SECTIONS } from '../../conformance/engine/model.ts';
import { DEFAULT_REDIRECT } from '../../conformance/provider/cross-app/given.ts';
import { READINGS } from '../../conformance/service/cross-app/given.ts';
import { readNamingMember } from '../../conformance/service/steps/naming-members.ts';
import { readWriteRequest } from '../../conformance/service/write-request.ts';
import { EMAIL } from '../../conformance/user/email.ts';
import type { Options } from '../shell/command.ts';
import type { Given } from '../shell/given.ts';
import {
  collect,
  DEFAULT_PATIENCE,
  duration,
  durationOrZero,
  port,
} from '../shell/option-values.ts';

/** What is judged, and how it is reported: the work of `judgeAndReport`. */
export const REPORT_OPTIONS = {
  '--only <ids>': [
    'judge only these scenarios or checks, * for any letters; repeatable, or with commas',
    collectNames,
  ],
  '--skip <ids>': ['skip these scenarios or checks, in the same form', collectNames],
  '--level <level>': ['judge this level and the stronger ones (default: all)', LEVELS],
  '--section <section>': [
    'judge this section alone: the rows of the specification, other standards, attacks, or cross-app access (default: all)',
    SECTIONS,
  ],
  '--seed <number>': [
    'send the same names and values as the run that printed this number (default: new ones)',
    seed,
  ],
  '--report <format>': [
    'terminal, json, junit, markdown or html; FORMAT=FILE writes a file, FORMAT=- to stdout; repeatable',
    collect,
  ],
  '--baseline <file>': 'known failures: exit 1 only for others, 3 when one of them passes now',
  '--write-baseline <file>': 'write what fails now to a baseline, and exit 0',
  '--since <report>':
    'the JSON report of an earlier run: say what passes and what fails since; the exit code stays',
  '--verbose': 'show every check, and the whole exchange of each finding',
} satisfies Options;

/** How long an answer may take. Milliseconds. */
const ANSWER_TIMEOUT = 10_000;
/** How long one run of the agent may last. Milliseconds. */
const AGENT_TIMEOUT = 60_000;
const DEFAULT_PARALLEL = 24;
const MOST_PARALLEL = 64;

/** What a service and a provider are judged with alike: the work of `conformanceTarget`. */
const targetOptions = <const Drivers extends readonly string[]>(
  role: 'service' | 'provider',
  drivers: Drivers,
  does: string,
) =>
  ({
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
  }) satisfies Options;

/** What cross-app access is judged with. */
const CROSS_APP_OPTIONS = {
  '--client-id <id>': [
    'a client at the service, which redeems ID-JAGs; a second one tries those of the first',
    collect,
  ],
  '--client-secret <@file|->': ['its secret, from a file or stdin; in the same order', collect],
  '--client-document': 'the suite is the client, by a metadata document that it serves',
  '--subject <sub>': 'the sub of a user whom the service knows (default: new ones)',
  '--reading <text>': ['whether an ID-JAG may be sent again: ema says never', READINGS, 'ema'],
} satisfies Options;

export const SERVICE_OPTIONS = {
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
} satisfies Options;

export const PROVIDER_OPTIONS = {
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
} satisfies Options;

export const AGENT_OPTIONS = {
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
} satisfies Options;

/** What `conformance service`, `agent` and `provider` take alike. */
export type ReportOptions = Given<typeof REPORT_OPTIONS>;
export type ServiceOptions = Given<typeof SERVICE_OPTIONS>;
export type ProviderOptions = Given<typeof PROVIDER_OPTIONS>;
export type AgentOptions = Given<typeof AGENT_OPTIONS>;
/** What `conformance service` and `provider` take alike, and of a service what is looked at for both. */
export type TargetOptions = Given<
  ReturnType<typeof targetOptions<readonly ServiceOptions['user'][]>>
> &
  Pick<ServiceOptions, 'rerun' | 'chromium'>;

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

/** `a,b` and `a` again make three. */
function collectNames(value: string, previous: readonly string[] = []): readonly string[] {
  const names = splitNames(value);
  if (names.length > 0) return [...previous, ...names];
  throw new InvalidArgumentError('Name a scenario or a check.');
}

function splitNames(value: string): readonly string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function seed(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}
