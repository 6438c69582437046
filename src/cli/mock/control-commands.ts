import { Argument, type Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import { collect, count, duration, durationOrZero, email } from '../shell/option-values.ts';
import { addClientCommands } from './client-commands.ts';
import type { MockCompleteOptions } from './complete.ts';
import { addDirectoryCommands } from './directory-commands.ts';
import type { MockExchangesOptions } from './exchanges.ts';
import type { MockFaultOptions } from './fault.ts';
import type { MockMailsOptions } from './mails.ts';
import type { MockMintOptions } from './mint.ts';
import type { MockOpenOptions } from './open.ts';
import type { MockOutboxOptions } from './outbox.ts';
import type { MockRevokeOptions } from './revoke.ts';
import type { MockRotateOptions } from './rotate.ts';
import type { MockTrustOptions } from './trust.ts';

/** The commands for the mocks that run on this machine. */
export function addControlCommands(mock: Command, run: Run): void {
  examples(
    mock
      .command('open')
      .summary('open the live view of the running mocks in the browser')
      .description(
        'Opens the live view: exchanges as they happen, registrations with their codes, mails, and the controls as ' +
          'buttons. The link is good once, for 60 seconds.',
      )
      .addArgument(
        new Argument('[part]', 'of which mock (default: the one that runs)').choices([
          'service',
          'provider',
        ]),
      )
      .option('--print', 'print the link, open no browser')
      .action((part: 'service' | 'provider' | undefined, options: MockOpenOptions) =>
        run(async (context) => (await import('./open.ts')).mockOpen(context, part, options)),
      ),
    'mock open',
    'mock open --print',
  );
  examples(
    mock
      .command('advance')
      .summary('move the clock of the running mocks')
      .description(
        'Moves the clock of the running mocks. Agents see it in the Date header of each response.',
      )
      .argument('<duration>', 'how far, for example 11m', duration)
      .action((by: number) =>
        run(async (context) => (await import('./change-mocks.ts')).mockAdvance(context, by)),
      ),
    'mock advance 11m',
  );
  examples(
    mock
      .command('list')
      .summary('show what is registered at the running mock service')
      .description('Shows the registrations of the running mock service, or all details of one.')
      .argument('[registration]', 'its id (default: all)')
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
      .command('revoke')
      .summary('end a registration, or the tokens of a user or a client, at the running mocks')
      .description(
        'Ends a registration of the running mock service, as its user would on the page of connections: ' +
          'its tokens are refused from then on. With an option it ends the tokens of cross-app access at each mock, as ' +
          'an administrator would.',
      )
      .argument('[registration]', 'its id (default: the only one that is live)')
      .option('--email <email>', 'end the tokens of this user', email)
      .option('--client-id <id>', 'end the tokens of this client')
      .option('--all', 'end the tokens of every user and client')
      .action((id: string | undefined, options: MockRevokeOptions) =>
        run(async (context) => (await import('./revoke.ts')).mockRevoke(context, id, options)),
      ),
    'mock revoke',
    'mock revoke reg_2pfk0c51',
    'mock revoke --client-id app --email alice@example.com',
  );
  addClientCommands(mock, run);
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
        'Switches exactly the named faults on, all others off. Without a name, shows those that are on.',
      )
      .argument('[name...]', 'faults, for example noSlowDown')
      .option('--clear', 'switch all off')
      .option(
        '--list [group]',
        'list the groups of faults, or the faults of one, also while no mock runs',
      )
      .option('--search <text>', 'list those whose name, group or description has these words')
      .action((names: readonly string[], options: MockFaultOptions) =>
        run(async (context) => (await import('./fault.ts')).mockFault(context, names, options)),
      ),
    'mock fault noSlowDown acceptedReplay',
    'mock fault --list claim',
    'mock fault --search audience',
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
        'where its keys are (default: as its metadata says, else /.well-known/jwks.json)',
      )
      .option(
        '--client-id <id>',
        'a client whose ID-JAGs are accepted; repeatable (default: /agent-auth.json below the issuer)',
        collect,
      )
      .action((issuer: string, options: MockTrustOptions) =>
        run(async (context) => (await import('./trust.ts')).mockTrust(context, issuer, options)),
      ),
    'mock trust http://127.0.0.1:4899',
    'mock trust https://provider.example --name Example --client-id my-agent',
  );
  addDirectoryCommands(mock, run);
  examples(
    mock
      .command('mails')
      .summary('show what the running mock service sent by mail')
      .description(
        'Shows the mails of the running mock service, newest first: to whom, and the text with its code ' +
          'and link. A service sends some where its dialect or a quirk has codes mailed.',
      )
      .option('--to <email>', 'only those to this user', email)
      .action((options: MockMailsOptions) =>
        run(async (context) => (await import('./mails.ts')).mockMails(context, options)),
      ),
    'mock mails',
    'mock mails --to alice@example.com --json',
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
      .command('mint')
      .summary('mint an ID-JAG at the running mock provider, without a sign-in')
      .description(
        'Mints an ID-JAG at the running mock provider and prints it, whatever consent and policy would say. Any claim ' +
          'and any member of the header can be another, or left out: to see what a service does with it.',
      )
      .option('--email <email>', 'the user that it names', email, 'alice@example.com')
      .option('--audience <url>', 'the issuer of the service (default: the one of `mock up`)')
      .option('--client-id <id>', 'the client as the service knows it (default: the agent)')
      .option('--resource <url>', 'a resource of the service; repeatable', collect)
      .option('--scope <scopes>', 'scopes, separated by spaces')
      .option('--claim <name=json>', 'a claim in place of its own; repeatable', collect)
      .option('--header <name=json>', 'a member of the header; repeatable', collect)
      .option('--omit <name>', 'leave out this claim or member of the header; repeatable', collect)
      .action((options: MockMintOptions) =>
        run(async (context) => (await import('./mint.ts')).mockMint(context, options)),
      ),
    'mock mint --client-id app --resource http://127.0.0.1:4800/mcp --scope api.read',
    'mock mint --claim \'aud=["https://a.example","https://b.example"]\' --omit jti',
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
      .command('exchanges')
      .summary('show the requests that the running mocks saw, and their answers')
      .description(
        'Shows the requests that the running mocks saw, oldest first: when, to which mock, status. With ' +
          '--json with headers and bodies, secrets as fingerprints.',
      )
      .addArgument(
        new Argument('[part]', 'of which mock (default: both)').choices(['service', 'provider']),
      )
      .option(
        '--since <number>',
        'only those after the one with this number',
        count(Number.MAX_SAFE_INTEGER),
      )
      .option(
        '--transcript <file>',
        'write them as a document that is the same for each run of the same procedure',
      )
      .action((part: 'service' | 'provider' | undefined, options: MockExchangesOptions) =>
        run(async (context) =>
          (await import('./exchanges.ts')).mockExchanges(context, part, options),
        ),
      ),
    'mock exchanges',
    'mock exchanges service --since 12 --json',
    'mock exchanges --transcript flow.json',
  );
  examples(
    mock
      .command('reset')
      .summary('reset the running mocks to their initial state')
      .description(
        'Removes every registration, session and event, and restores the clock and the initial ' +
          'faults. Keys stay.',
      )
      .action(() => run(async (context) => (await import('./change-mocks.ts')).mockReset(context))),
    'mock reset',
  );
}
