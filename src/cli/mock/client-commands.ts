import type { Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import { collect, email } from '../shell/option-values.ts';
import type { MockClientsOptions } from './clients.ts';
import type { MockConsentOptions, MockSignInOptions } from './consent.ts';
import type { MockPolicyOptions } from './policy.ts';

/** `mock clients`, `policy`, `sign-in` and `consent`: who may do what by cross-app access at the running mocks. */
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
  examples(
    mock
      .command('sign-in')
      .summary('decide in place of users how they sign in to clients at the running mock provider')
      .description(
        'Shows what authorization requests meet at the running mock provider, or decides it until the reset: the page, ' +
          'a user who is signed in without it, or one who refuses.',
      )
      .option('--as <email>', 'sign this user in without a page', email)
      .option('--deny', 'answer access_denied')
      .option('--ask', 'show the page')
      .action((options: MockSignInOptions) =>
        run(async (context) => (await import('./consent.ts')).mockSignIn(context, options)),
      ),
    'mock sign-in --as alice@example.com',
    'mock sign-in --deny',
    'mock sign-in --ask',
  );
  examples(
    mock
      .command('consent')
      .summary('show and answer what the running mock provider asks users about agents')
      .description(
        'Shows the consent requests of the running mock provider, or answers one in place of its user.',
      )
      .argument('[request]', 'its id (default: the only open one)')
      .option('--approve', 'agree')
      .option('--deny', 'refuse')
      .option('--expire', 'let it expire')
      .action((id: string | undefined, options: MockConsentOptions) =>
        run(async (context) => (await import('./consent.ts')).mockConsent(context, id, options)),
      ),
    'mock consent',
    'mock consent --approve',
  );
}
