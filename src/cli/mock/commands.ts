import { Argument, type Command, Option } from 'commander';
import { IDENTITY_TYPES } from '../../protocol/constants.ts';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import {
  collect,
  collectIdentityTypes,
  duration,
  durationOrZero,
  port,
} from '../shell/option-values.ts';
import type { MockCompleteOptions } from './complete.ts';
import type { MockFaultOptions } from './fault.ts';
import type { MockOutboxOptions } from './outbox.ts';
import type { MockRotateOptions } from './rotate.ts';
import type { MockOptions } from './servers/mock-options.ts';
import type { MockTrustOptions } from './trust.ts';

export function addMockCommands(program: Command, run: Run): void {
  const mock = program
    .command('mock')
    .summary('run a mock service, a mock provider, or both, and control them')
    .description(
      'Servers to develop and test against. They listen on this machine only. ' +
        'Running ones are controlled from another terminal: time, claims, keys, faults.',
    );

  const service = mock
    .command('service')
    .summary('run the mock service')
    .description('Runs the mock service on 127.0.0.1:4800, or on the next free port.')
    .action((options: MockOptions) =>
      run(async (context) => (await import('./service.ts')).mockService(context, options)),
    );
  addServerOptions(service);
  addServiceOptions(service);
  examples(
    service,
    'mock service',
    'mock service --port 9000 --db service.db --trust https://provider.example',
    'mock service --lifetime userCode=30s --lifetime interval=1s',
  );

  const provider = mock
    .command('provider')
    .summary('run the mock provider')
    .description('Runs the mock provider on 127.0.0.1:4801, or on the next free port.')
    .action((options: MockOptions) =>
      run(async (context) => (await import('./provider.ts')).mockProvider(context, options)),
    );
  addServerOptions(provider);
  addProviderOptions(provider);
  examples(
    provider,
    'mock provider --audience http://127.0.0.1:4800',
    'mock provider --auto-approve alice@example.com',
  );

  const up = mock
    .command('up')
    .summary('run both, wired to trust each other')
    .description(
      'Runs the mock service and the mock provider in one process, each known to the other. ' +
        '--port is the port of the service; the provider takes the one after it.',
    )
    .action((options: MockOptions) =>
      run(async (context) => (await import('./up.ts')).mockUp(context, options)),
    );
  addServerOptions(up);
  addServiceOptions(up);
  addProviderOptions(up);
  up.option(
    '--provider-base-url <url>',
    'the URL that clients use for the provider; --base-url is the service’s',
  );
  examples(
    up,
    'mock up',
    'mock up --lifetime userCode=30s',
    'mock up --db postgres://me@127.0.0.1/agent_auth',
    'mock up --json',
  );

  addControlCommands(mock, run);
  examples(mock, 'mock up', 'mock advance 11m', 'mock complete');
}

function addServerOptions(command: Command): void {
  command
    .option(
      '--port <port>',
      'the port; if it is taken, fail instead of using the next free one',
      port,
    )
    .option('--host <host>', 'the host name or IP address to listen on (default: 127.0.0.1)')
    .option(
      '--allow-remote-passwordless-sign-in',
      'allow a --host that others can reach, although sign-in asks for no password',
    )
    .option(
      '--base-url <url>',
      'the URL that clients use, if it is not the one that the server listens on',
    )
    .option(
      '--db <place>',
      'keep the data in this SQLite file, or in postgres://user@host/name for replicas (default: AGENT_AUTH_DB, or in memory)',
    )
    .option(
      '--lifetime <name=duration>',
      'change a lifetime, for example userCode=30s; repeatable',
      collect,
    )
    .option(
      '--tls',
      'serve https with a certificate made for this run; the ready line names its CA file',
    )
    .option('--tls-cert <file>', 'serve https with this certificate (PEM)')
    .option('--tls-key <file>', 'the key of --tls-cert (PEM, without passphrase)')
    .option(
      '--config <file>',
      'read options from this YAML file; the command line takes precedence',
    )
    .option('--fault <name>', 'start with this fault on; repeatable', collect)
    .option('--no-control', 'disable the control API: mock advance, mock list and so on')
    .option('--open', 'open the first page in the browser');
  notes(command, CONFIG_HELP);
}

/** For all three commands: their options have the same names. */
const CONFIG_HELP = [
  'A --config file is YAML. Its keys are the long options with _ for -, lists in the plural:',
  '  port: 4800                    also base_url, host, db, tls,',
  '                                tls_cert, tls_key, …',
  '  vendor: acme                  one label, or a list',
  '  types: [anonymous]',
  '  faults: [noSlowDown]',
  '  lifetimes: { userCode: 30s }',
  '  trust:                        a URL, or an object:',
  '    - issuer: https://provider.example',
  '      name: Example Provider    also jwks_uri, client_ids, mail_domains',
  '  audiences:                    the same, with issuer, name, scopes',
  '    - https://api.example.com',
  '  users:',
  '    - email: alice@example.com  also name, phone; of a provider',
  '                                email_verified, tenant',
  'Keys without an option: service_name, provider_name, users, event_base, algorithm, ' +
    'accept_resource_audience, client_id, client_name. Paths are relative to the file.',
];

function addServiceOptions(command: Command): void {
  command
    .option('--trust <issuer>', 'accept ID-JAGs of this provider; repeatable', collect)
    .option('--vendor <label>', 'a vendor label of the claim grant; repeatable', collect)
    .addOption(
      new Option('--type <type>', 'offer only this registration type; repeatable')
        .choices([...IDENTITY_TYPES])
        .argParser(collectIdentityTypes),
    )
    .option('--rate-limit', 'limit registrations per IP address');
}

function addProviderOptions(command: Command): void {
  command
    .option(
      '--audience <issuer>',
      'mint ID-JAGs only for this service; repeatable (default: for any)',
      collect,
    )
    .option(
      '--auto-approve <email>',
      'sign in and consent as this user without a page, except after a revocation',
    );
}

/** The commands for the mocks that run on this machine. */
function addControlCommands(mock: Command, run: Run): void {
  examples(
    mock
      .command('advance')
      .summary('move the clock of the running mocks')
      .description(
        'Moves the clock of the running mocks. Agents see it in the Date header of each response.',
      )
      .argument('<duration>', 'how far, for example 11m', duration)
      .action((by: number) =>
        run(async (context) => (await import('./advance.ts')).mockAdvance(context, by)),
      ),
    'mock advance 11m',
  );
  examples(
    mock
      .command('list')
      .summary('show what is registered at the running mock service')
      .description('Shows the registrations of the running mock service, or all details of one.')
      .argument('[registration]', 'its id')
      .action((id: string | undefined) =>
        run(async (context) => (await import('./list.ts')).mockList(context, id)),
      ),
    'mock list',
    'mock list --json',
  );
  for (const decision of ['complete', 'deny'] as const) {
    examples(
      mock
        .command(decision)
        .summary(`${decision} the open claim at the running mock service, as its user would`)
        .description(
          `${decision === 'complete' ? 'Completes' : 'Denies'} the open claim, as its user would in the browser.`,
        )
        .argument('[registration]', 'its id (default: the one whose claim is open)')
        .option('--email <email>', 'the user who does it (default: the one that the claim is for)')
        .action((id: string | undefined, options: MockCompleteOptions) =>
          run(async (context) =>
            (await import('./complete.ts')).mockComplete(context, decision, id, options),
          ),
        ),
      `mock ${decision}`,
    );
  }
  examples(
    mock
      .command('rotate')
      .summary('rotate the signing keys of the running mocks')
      .description(
        'Publishes a new signing key at once and signs with it after the lead. The old key stays ' +
          'published while anything that it signed is valid.',
      )
      .addArgument(
        new Argument('[part]', 'which mock (default: both)').choices(['service', 'provider']),
      )
      .option(
        '--lead <duration>',
        'how long to publish it before signing with it (default: 5m)',
        durationOrZero,
      )
      .action((part: 'service' | 'provider' | undefined, options: MockRotateOptions) =>
        run(async (context) => (await import('./rotate.ts')).mockRotate(context, part, options)),
      ),
    'mock rotate provider',
    'mock rotate service --lead 0s',
  );
  examples(
    mock
      .command('fault')
      .summary('switch faults of the running mocks on and off')
      .description(
        'Switches exactly the named faults on, all others off. Without a name, lists them.',
      )
      .argument('[name...]', 'faults, for example noSlowDown')
      .option('--clear', 'switch all off')
      .action((names: readonly string[], options: MockFaultOptions) =>
        run(async (context) => (await import('./fault.ts')).mockFault(context, names, options)),
      ),
    'mock fault',
    'mock fault noSlowDown wrongAudience',
    'mock fault --clear',
  );
  examples(
    mock
      .command('trust')
      .summary('make the running mock service trust another provider')
      .description(
        'Makes the running mock service accept ID-JAGs and events of a provider until it is reset. A provider ' +
          'that it trusts already is replaced, and its keys are fetched again.',
      )
      .argument('<issuer>', 'the provider: the iss of what it signs')
      .option('--name <name>', 'the name shown to users (default: the host of the issuer)')
      .option(
        '--jwks-uri <url>',
        'where its keys are (default: /.well-known/jwks.json below the issuer)',
      )
      .action((issuer: string, options: MockTrustOptions) =>
        run(async (context) => (await import('./trust.ts')).mockTrust(context, issuer, options)),
      ),
    'mock trust http://127.0.0.1:4899',
    'mock trust https://provider.example --name Example',
  );
  examples(
    mock
      .command('outbox')
      .summary('show the revocation events of the running mock provider')
      .description(
        'Shows each revocation event of the running mock provider: delivered, pending or parked.',
      )
      .option('--send <event>', 'send this event again, even if it is parked')
      .action((options: MockOutboxOptions) =>
        run(async (context) => (await import('./outbox.ts')).mockOutbox(context, options)),
      ),
    'mock outbox',
  );
  examples(
    mock
      .command('audit')
      .summary('show every change of state at the running mocks')
      .description('Shows what changed at the running mocks: when, by whom, which registration.')
      .action(() => run(async (context) => (await import('./audit.ts')).mockAudit(context))),
    'mock audit',
  );
  examples(
    mock
      .command('reset')
      .summary('reset the running mocks to their initial state')
      .description(
        'Removes every registration, session and event, and restores the clock and the initial ' +
          'faults. Keys stay.',
      )
      .action(() => run(async (context) => (await import('./reset.ts')).mockReset(context))),
    'mock reset',
  );
}
