import { usageError } from '../shell/cli-error.ts';
import type { CommandSpec } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { origin, port } from '../shell/option-values.ts';
import { CONTROL_COMMANDS } from './control-commands.ts';
import type { ReplayedServiceFlags } from './replay/service.ts';
import {
  CONFIG_HELP,
  PROVIDER_OPTIONS,
  REPLAY_OPTIONS,
  SERVICE_OPTIONS,
  serverOptions,
} from './server-options.ts';
import type { MockOptions } from './servers/mock-options.ts';
import type { MockRole } from './servers/mock-role.ts';

/** The roles of the mocks, each loaded where it runs. */
const theService = async () => (await import('./servers/service-role.ts')).SERVICE;
const theProvider = async () => (await import('./servers/provider-role.ts')).PROVIDER;

const running =
  (...roles: readonly (() => Promise<MockRole>)[]) =>
  async () => {
    const loaded = await Promise.all(roles.map((load) => load()));
    const { runMocks } = await import('./run-mocks.ts');
    return (context: Context, options: MockOptions): Promise<Outcome> =>
      runMocks(context, loaded, options);
  };

async function serviceOrReplay(
  context: Context,
  options: MockOptions & ReplayedServiceFlags,
): Promise<Outcome> {
  const { from, provider, ...others } = options;
  if (from !== undefined) {
    return (await import('./replay/service.ts')).replayService(context, from, options);
  }
  if (provider === undefined) return (await running(theService)())(context, others);
  throw usageError('--provider belongs to a replay, and --from names none.', {
    code: 'options_clash',
    hint: `To replay, add --from FILE. For a mock that trusts this provider: --trust ${provider}`,
  });
}

export const MOCK: CommandSpec = {
  summary: 'run a mock service, a mock provider, or both, and control them',
  description:
    'Servers to develop and test against. They listen on this machine only. ' +
    'Running ones are controlled from another terminal: time, claims, keys, faults.',
  commands: {
    service: {
      summary: 'run the mock service',
      description: 'Runs the mock service on 127.0.0.1:4800, or on the next free port.',
      options: {
        ...serverOptions(4800),
        ...SERVICE_OPTIONS,
        ...REPLAY_OPTIONS,
      },
      notes: CONFIG_HELP,
      load: async () => serviceOrReplay,
      examples: [
        'mock service',
        'mock service --port 9000 --db service.db --trust https://provider.example',
        'mock service --lifetime userCode=30s --lifetime interval=1s',
        'mock service --from transcript.json',
      ],
    },
    provider: {
      summary: 'run the mock provider',
      description: 'Runs the mock provider on 127.0.0.1:4801, or on the next free port.',
      options: {
        ...serverOptions(4801),
        ...PROVIDER_OPTIONS,
      },
      notes: CONFIG_HELP,
      load: running(theProvider),
      examples: [
        'mock provider --audience http://127.0.0.1:4800',
        'mock provider --auto-approve alice@example.com',
      ],
    },
    up: {
      summary: 'run both, wired to trust each other',
      description:
        'Runs the mock service on 127.0.0.1:4800 and the mock provider on 127.0.0.1:4801, or on the next ' +
        'free ports, in one process and each known to the other. ' +
        '--port is the port of the service; the provider takes the one after it.',
      options: {
        ...serverOptions(4800),
        ...SERVICE_OPTIONS,
        ...PROVIDER_OPTIONS,
        '--provider-base-url <url>': [
          'the URL that clients use for the provider; --base-url is the service’s',
          origin,
        ],
        '--provider-port <port>': [
          'where the provider listens (default: the port after the service’s)',
          port,
        ],
      },
      notes: CONFIG_HELP,
      load: running(theService, theProvider),
      examples: [
        'mock up',
        'mock up --port 8080 --provider-port 9090',
        'mock up --lifetime userCode=30s',
        'mock up --db postgres://me@127.0.0.1/agent_auth',
        'mock up --json',
      ],
    },
    ...CONTROL_COMMANDS,
  },
  examples: ['mock up', 'mock advance 11m', 'mock complete'],
};
