import type { Command } from 'commander';
import type { ProviderConsentOptions } from '../commands/provider-consent.ts';
import type { ProviderLoginOptions } from '../commands/provider-login.ts';
import type { ProviderMintOptions } from '../commands/provider-mint.ts';
import type { ProviderRevokeOptions } from '../commands/provider-revoke.ts';
import type { Run } from '../run.ts';
import { browserOption } from './browser-option.ts';
import { examples } from './help-text.ts';

export function addProviderCommands(program: Command, run: Run): void {
  const provider = program
    .command('provider')
    .summary('sign in at an agent provider and mint ID-JAGs')
    .description(
      'The provider side: sign-in by device code, consent per service, minting, taking consent back.',
    );

  examples(
    provider
      .command('login')
      .summary('sign in at a provider')
      .description('Shows a code and the page to type it on, and waits for the sign-in.')
      .argument('[url]', 'the provider')
      .option('--fresh', 'sign in anew, even where the browser is signed in already')
      .addOption(browserOption())
      .action((url: string | undefined, options: ProviderLoginOptions) =>
        run(async (context) =>
          (await import('../commands/provider-login.ts')).providerLogin(context, url, options),
        ),
      ),
    'provider login http://127.0.0.1:4801',
  );

  examples(
    provider
      .command('consent')
      .summary('let the user agree to be identified to a service')
      .description('Takes the user to the consent page of the provider for one audience.')
      .argument('[url]', 'the provider')
      .option('--audience <issuer>', 'the service (default: the service in use)')
      .option('--scope <scopes>', 'the scopes to agree to, separated by spaces')
      .addOption(browserOption())
      .action((url: string | undefined, options: ProviderConsentOptions) =>
        run(async (context) =>
          (await import('../commands/provider-consent.ts')).providerConsent(context, url, options),
        ),
      ),
    'provider consent --audience http://127.0.0.1:4800',
  );

  examples(
    provider
      .command('mint')
      .summary('print an ID-JAG for a service')
      .description('Mints an ID-JAG for one audience and prints it alone.')
      .argument('[url]', 'the provider')
      .option('--audience <issuer>', 'the service (default: the service in use)')
      .option('--scope <scopes>', 'the scopes to ask for, separated by spaces')
      .option('--resource <url>', 'bind it to one resource')
      .action((url: string | undefined, options: ProviderMintOptions) =>
        run(async (context) =>
          (await import('../commands/provider-mint.ts')).providerMint(context, url, options),
        ),
      ),
    'provider mint --audience http://127.0.0.1:4800 | agent-auth register --assertion -',
  );

  examples(
    provider
      .command('revoke')
      .summary('take back the consent to be identified to a service')
      .description(
        'Takes back the consent for one audience, and says whether the service was told. ' +
          'Exit 8 when the service refused to hear it: then a person has to look.',
      )
      .argument('[url]', 'the provider')
      .option('--audience <issuer>', 'the service (default: the service in use)')
      .addOption(browserOption())
      .action((url: string | undefined, options: ProviderRevokeOptions) =>
        run(async (context) =>
          (await import('../commands/provider-revoke.ts')).providerRevoke(context, url, options),
        ),
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
