import { Argument, type Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import { duration, durationOrZero } from '../shell/option-values.ts';
import type { MockCompleteOptions } from './complete.ts';
import type { MockFaultOptions } from './fault.ts';
import type { MockOutboxOptions } from './outbox.ts';
import type { MockRotateOptions } from './rotate.ts';
import type { MockTrustOptions } from './trust.ts';

/** The commands that speak to a mock that runs on this machine. */
export function addMockControlCommands(mock: Command, run: Run): void {
  examples(
    mock
      .command('advance')
      .summary('move the clock of the running mocks')
      .description(
        'Moves the clock of the running mocks. Agents see it in the Date of each answer.',
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
      .description('Shows the registrations of the running mock service, or everything about one.')
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
        .description('Does what the user of a claim does in the browser, without one.')
        .argument('[registration]', 'its id (default: the one whose claim is open)')
        .option('--email <address>', 'who does it (default: the user that the claim is for)')
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
      .summary('make the next signing key of the running mocks')
      .description(
        'Publishes a new signing key at once and signs with it after the lead. The key before stays ' +
          'published for as long as what it signed is good.',
      )
      .addArgument(
        new Argument('[part]', 'whose (default: of both)').choices(['service', 'provider']),
      )
      .option('--lead <duration>', 'how long it is published before (default: 5m)', durationOrZero)
      .action((part: 'service' | 'provider' | undefined, options: MockRotateOptions) =>
        run(async (context) => (await import('./rotate.ts')).mockRotate(context, part, options)),
      ),
    'mock rotate provider',
    'mock rotate service --lead 0s',
  );
  examples(
    mock
      .command('fault')
      .summary('let the running mocks do something wrong')
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
      .summary('let the running mock service trust one more provider')
      .description(
        'Has the running mock service accept ID-JAGs and events of a provider until it is reset. A provider ' +
          'that it trusts already is replaced, and its keys are fetched anew.',
      )
      .argument('<issuer>', 'the provider, as in the iss of what it signs')
      .option('--name <name>', 'what people are shown (default: the host of the issuer)')
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
      .summary('show what the running mock provider tells services')
      .description(
        'Shows the revocation events of the running mock provider: delivered, pending or parked.',
      )
      .option('--send <event>', 'send this one again, also a parked one')
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
      .summary('bring the running mocks back to their start')
      .description(
        'Removes every registration, session and event, sets the clock right and the faults as at the ' +
          'start. Keys stay.',
      )
      .action(() => run(async (context) => (await import('./reset.ts')).mockReset(context))),
    'mock reset',
  );
}
