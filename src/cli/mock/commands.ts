import type { Command } from 'commander';
import type { Context, Run } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { examples } from '../shell/help-text.ts';
import { origin, port } from '../shell/option-values.ts';
import { addControlCommands } from './control-commands.ts';
import {
  addReplayedServiceOptions,
  checkNoReplayOption,
  type ReplayedServiceFlags,
} from './replay/options.ts';
import { addProviderOptions, addServerOptions, addServiceOptions } from './server-options.ts';
import type { MockOptions } from './servers/mock-options.ts';
import type { MockRole } from './servers/mock-role.ts';

export function addMockCommands(program: Command, run: Run, isListed = false): void {
  const mock = program
    .command('mock')
    .summary('run a mock service, a mock provider, or both, and control them')
    .description(
      'Servers to develop and test against. They listen on this machine only. ' +
        'Running ones are controlled from another terminal: time, claims, keys, faults.',
    );
  // In a list of commands it stands without its own.
  if (isListed) return;

  const service = mock
    .command('service')
    .summary('run the mock service')
    .description('Runs the mock service on 127.0.0.1:4800, or on the next free port.')
    .action((options: MockOptions & ReplayedServiceFlags) =>
      run(async (context) => {
        const { from } = options;
        if (from !== undefined) {
          return (await import('./replay/service.ts')).replayService(context, from, options);
        }
        checkNoReplayOption(options);
        return runMocks(context, options, [theService]);
      }),
    );
  addServerOptions(service, 4800);
  addServiceOptions(service);
  addReplayedServiceOptions(service);
  examples(
    service,
    'mock service',
    'mock service --port 9000 --db service.db --trust https://provider.example',
    'mock service --lifetime userCode=30s --lifetime interval=1s',
    'mock service --from transcript.json',
  );

  const provider = mock
    .command('provider')
    .summary('run the mock provider')
    .description('Runs the mock provider on 127.0.0.1:4801, or on the next free port.')
    .action((options: MockOptions) =>
      run(async (context) => runMocks(context, options, [theProvider])),
    );
  addServerOptions(provider, 4801);
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
      'Runs the mock service on 127.0.0.1:4800 and the mock provider on 127.0.0.1:4801, or on the next ' +
        'free ports, in one process and each known to the other. ' +
        '--port is the port of the service; the provider takes the one after it.',
    )
    .action((options: MockOptions) =>
      run(async (context) => runMocks(context, options, [theService, theProvider])),
    );
  addServerOptions(up, 4800);
  addServiceOptions(up);
  addProviderOptions(up);
  up.option(
    '--provider-base-url <url>',
    'the URL that clients use for the provider; --base-url is the service’s',
    origin,
  );
  up.option(
    '--provider-port <port>',
    'where the provider listens (default: the port after the service’s)',
    port,
  );
  examples(
    up,
    'mock up',
    'mock up --port 8080 --provider-port 9090',
    'mock up --lifetime userCode=30s',
    'mock up --db postgres://me@127.0.0.1/agent_auth',
    'mock up --json',
  );

  addControlCommands(mock, run);
  examples(mock, 'mock up', 'mock advance 11m', 'mock complete');
}

/** Each is loaded where it runs. */
const theService = async () => (await import('./servers/service-role.ts')).SERVICE;
const theProvider = async () => (await import('./servers/provider-role.ts')).PROVIDER;

async function runMocks(
  context: Context,
  options: MockOptions,
  roles: readonly (() => Promise<MockRole>)[],
): Promise<Outcome> {
  const loaded = await Promise.all(roles.map((load) => load()));
  return (await import('./run-mocks.ts')).runMocks(context, loaded, options);
}
