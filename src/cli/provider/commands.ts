import type { Command } from 'commander';
import { browserOption } from '../handover/browser-option.ts';
import type { Run } from '../shell/context.ts';
import { examples, PROVIDER_DEFAULT } from '../shell/help-text.ts';
import { duration } from '../shell/option-values.ts';
import type { ProviderConsentOptions, ProviderConsentWaitOptions } from './consent.ts';
import type { ProviderLoginOptions, ProviderLoginWaitOptions } from './login.ts';
import type { ProviderMintOptions } from './mint.ts';
import type { ProviderRevokeOptions } from './revoke.ts';

const PROVIDER = `the provider ${PROVIDER_DEFAULT}`;
const TIMEOUT = 'give up waiting after this time, with exit 8 (default: wait until it ends)';

export function addProviderCommands(program: Command, run: Run, isListed = false): void {
  const provider = program
    .command('provider')
    .summary('sign in at an agent provider and mint ID-JAGs')
    .description(
      'The provider side: sign in by device code, consent per service, mint ID-JAGs, revoke consent.',
    );
  // In a list of commands it stands without its own.
  if (isListed) return;

  const login = provider
    .command('login')
    .summary('sign in at a provider')
    .description('Shows a code and the page to type it on, and waits for the sign-in.')
    .argument('[url]', PROVIDER)
    .option('--fresh', 'sign in again, even if the browser is already signed in')
    .option('--no-wait', 'show the code and return at once (exit 8)')
    .addOption(browserOption())
    .action((url: string | undefined, options: ProviderLoginOptions) =>
      run(async (context) => (await import('./login.ts')).providerLogin(context, url, options)),
    );
  examples(
    login,
    'provider login http://127.0.0.1:4801',
    'provider login http://127.0.0.1:4801 --no-wait --json',
    'provider login wait --timeout 60s',
  );
  examples(
    login
      .command('wait')
      .summary('wait for an open sign-in, even one of another process')
      .description('Waits until the open sign-in is completed, denied or expired. Never opens one.')
      .argument('[url]', 'the provider (default: the only one with an open sign-in)')
      .option('--timeout <duration>', TIMEOUT, duration)
      .action((url: string | undefined, options: ProviderLoginWaitOptions) =>
        run(async (context) =>
          (await import('./login.ts')).providerLoginWait(context, url, {
            ...login.opts<ProviderLoginOptions>(),
            ...options,
          }),
        ),
      ),
    'provider login wait',
    'provider login wait http://127.0.0.1:4801 --timeout 60s --json',
  );

  const consent = provider
    .command('consent')
    .summary('ask the user to consent to being identified to a service')
    .description('Takes the user to the consent page of the provider, for one audience.')
    .argument('[url]', PROVIDER)
    .option('--audience <issuer>', 'the service (default: the service in use)')
    .option('--scope <scopes>', 'the scopes to consent to, separated by spaces')
    .option('--no-wait', 'show the page and return at once (exit 8)')
    .addOption(browserOption())
    .action((url: string | undefined, options: ProviderConsentOptions) =>
      run(async (context) => (await import('./consent.ts')).providerConsent(context, url, options)),
    );
  examples(
    consent,
    'provider consent --audience http://127.0.0.1:4800',
    'provider consent --audience http://127.0.0.1:4800 --no-wait',
    'provider consent wait --audience http://127.0.0.1:4800 --timeout 60s',
  );
  examples(
    consent
      .command('wait')
      .summary('wait until the user has consented')
      .description(
        'Waits until the user has consented on the consent page. Give the same audience and scopes as before.',
      )
      .argument('[url]', PROVIDER)
      .option('--timeout <duration>', TIMEOUT, duration)
      .action((url: string | undefined, options: ProviderConsentWaitOptions) =>
        run(async (context) =>
          (await import('./consent.ts')).providerConsentWait(context, url, {
            ...consent.opts<ProviderConsentOptions>(),
            ...options,
          }),
        ),
      ),
    'provider consent wait --audience http://127.0.0.1:4800',
  );

  examples(
    provider
      .command('mint')
      .summary('print an ID-JAG for a service')
      .description('Mints an ID-JAG for one audience and prints nothing else.')
      .argument('[url]', PROVIDER)
      .option('--audience <issuer>', 'the service (default: the service in use)')
      .option('--scope <scopes>', 'the scopes to ask for, separated by spaces')
      .option('--resource <url>', 'bind it to one resource')
      .action((url: string | undefined, options: ProviderMintOptions) =>
        run(async (context) => (await import('./mint.ts')).providerMint(context, url, options)),
      ),
    'provider mint --audience http://127.0.0.1:4800 | agent-auth register --assertion -',
  );

  examples(
    provider
      .command('revoke')
      .summary('revoke the consent to be identified to a service')
      .description(
        'Revokes the consent for one audience, and reports whether the service was notified. ' +
          'Exit 8 when the service refused the notification; revoke again once it accepts events.',
      )
      .argument('[url]', PROVIDER)
      .option('--audience <issuer>', 'the service (default: the service in use)')
      .addOption(browserOption())
      .action((url: string | undefined, options: ProviderRevokeOptions) =>
        run(async (context) => (await import('./revoke.ts')).providerRevoke(context, url, options)),
      ),
    'provider revoke',
    'provider revoke http://127.0.0.1:4801 --audience http://127.0.0.1:4800',
  );
  examples(
    provider,
    'provider login http://127.0.0.1:4801',
    'provider mint --audience http://127.0.0.1:4800 | agent-auth register --assertion -',
  );
}
