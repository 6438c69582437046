import { type Command, Option } from 'commander';
import { IDENTITY_TYPES } from '../../protocol/constants.ts';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { collect, collectIdentityTypes, port } from '../shell/option-values.ts';
import { addMockControlCommands } from './control-commands.ts';
import type { MockOptions } from './servers/mock-options.ts';

export function addMockCommands(program: Command, run: Run): void {
  const mock = program
    .command('mock')
    .summary('run a mock service, a mock provider, or both, and control them')
    .description(
      'Servers to develop and test against. They bind this machine alone. ' +
        'Those that run are controlled from another terminal: time, claims, keys, faults.',
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
  up.option('--provider-base-url <url>', 'the same for the provider; --base-url is the service’s');
  examples(
    up,
    'mock up',
    'mock up --lifetime userCode=30s',
    'mock up --db postgres://me@127.0.0.1/agent_auth',
    'mock up --json',
  );

  addMockControlCommands(mock, run);
  examples(mock, 'mock up', 'mock advance 11m', 'mock complete');
}

function addServerOptions(command: Command): void {
  command
    .option('--port <port>', 'the port; taken: an error instead of the next free one', port)
    .option('--host <address>', 'the address to bind (default: 127.0.0.1)')
    .option(
      '--allow-remote-passwordless-sign-in',
      'allow a --host that others can reach, although sign-in asks for no password',
    )
    .option('--base-url <url>', 'the address that clients use, when it is not the bound one')
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
      'serve https with a certificate made for this run; the ready line names its authority',
    )
    .option('--tls-cert <file>', 'serve https with this certificate (PEM)')
    .option('--tls-key <file>', 'the key of --tls-cert (PEM, without passphrase)')
    .option('--config <file>', 'read options from this YAML file; those on the line win')
    .option('--fault <name>', 'do this wrong from the start on; repeatable', collect)
    .option('--no-control', 'take no `mock advance`, `mock list` and so on')
    .option('--open', 'open the first page in the browser');
  notes(command, CONFIG_HELP);
}

/** The same for the three commands: their options have the same names. */
const CONFIG_HELP = [
  'A --config file is YAML. Its keys are the long options with _ for -, lists in the plural:',
  '  port: 4800                    also base_url, host, db, tls,',
  '                                tls_cert, tls_key, …',
  '  vendor: acme                  one label, or a list',
  '  types: [anonymous]',
  '  faults: [noSlowDown]',
  '  lifetimes: { userCode: 30s }',
  '  trust:                        an address, or more about it:',
  '    - issuer: https://provider.example',
  '      name: Example Provider    also jwks_uri, client_ids, mail_domains',
  '  audiences:                    the same, with issuer, name, scopes',
  '    - https://api.example.com',
  '  users:',
  '    - email: alice@example.com  also name, phone; of a provider',
  '                                email_verified, tenant',
  'Without a flag of their own: service_name, provider_name, users, event_base, algorithm, ' +
    'accept_resource_audience, client_id, client_name. Paths are meant from where the file is.',
];

function addServiceOptions(command: Command): void {
  command
    .option('--trust <issuer>', 'accept ID-JAGs of this provider; repeatable', collect)
    .option('--vendor <label>', 'a vendor label of the claim grant; repeatable', collect)
    .addOption(
      new Option('--type <type>', 'offer this registration type alone; repeatable')
        .choices([...IDENTITY_TYPES])
        .argParser(collectIdentityTypes),
    )
    .option('--rate-limit', 'limit registrations per address');
}

function addProviderOptions(command: Command): void {
  command
    .option(
      '--audience <issuer>',
      'mint ID-JAGs for this service alone; repeatable (default: for any)',
      collect,
    )
    .option(
      '--auto-approve <email>',
      'sign in and consent as this user without a page, but for what was revoked',
    );
}
