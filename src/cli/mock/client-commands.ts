import type { Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import { collect, email } from '../shell/option-values.ts';
import type { MockClientsOptions } from './clients.ts';
import type { MockPolicyOptions } from './policy.ts';

/** `mock clients` and `mock policy`: who may do what by cross-app access at the running mocks. */
export function addClientCommands(mock: Command, run: Run): void {
  examples(
    mock
      .command('clients')
      .summary('show, add and remove the clients of the running mocks')
      .description(
        'Shows which clients the running mocks know, adds one at each mock or removes one, until the reset. A mock ' +
          'without any takes every client; the first one closes it.',
      )
      .option('--add <id:secret>', 'add a client; its secret is a test value')
      .option('--add-public <id>', 'add a client without credentials')
      .option('--redirect-uri <uri>', 'where its users may return to; repeatable', collect)
      .option('--remove <id>', 'remove a client')
      .action((options: MockClientsOptions) =>
        run(async (context) => (await import('./clients.ts')).mockClients(context, options)),
      ),
    'mock clients',
    'mock clients --add app:a-test-secret',
    'mock clients --remove app',
  );
  examples(
    mock
      .command('policy')
      .summary('show and change what the running mock provider lets clients reach')
      .description(
        'Shows the rules of the running mock provider, of which the first one that fits decides. With other options ' +
          'it puts a rule before them, until the reset: for whom, and what is granted. What is left out is everybody ' +
          'or everything.',
      )
      .option('--user <email>', 'a user', email)
      .option('--group <name>', 'a group of configured users')
      .option('--client <id>', 'a client')
      .option('--audience <url>', 'a service, by its issuer')
      .option('--resource <url>', 'a resource of a service')
      .option('--scopes <scopes>', 'grant these alone of what is asked for, separated by spaces')
      .option('--refuse <code>', 'refuse with this code: access_denied, invalid_scope, …')
      .option('--clear', 'take back the configured rules')
      .action((options: MockPolicyOptions) =>
        run(async (context) => (await import('./policy.ts')).mockPolicy(context, options)),
      ),
    'mock policy',
    'mock policy --user alice@example.com --client app --refuse access_denied',
    'mock policy --clear',
  );
}
