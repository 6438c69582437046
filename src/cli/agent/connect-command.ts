import { type Command, Option } from 'commander';
import { IDENTITY_TYPES } from '../../protocol/constants.ts';
import { browserOption } from '../handover/browser-option.ts';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import { collect } from '../shell/option-values.ts';
import type { ConnectOptions } from './connect.ts';

export function addConnectCommand(program: Command, run: Run): void {
  examples(
    program
      .command('connect')
      .summary('do it all at a service: register, claim where needed, prove it by a call')
      .description(
        'Discovers the service, registers by the lightest type that fits, lets the user claim where more ' +
          'scope is wanted, gets a token, proves it by a call, and says what this agent may do until when.\n\n' +
          'Again, it goes on where it stopped; once all is done, nothing is registered anew. ' +
          'Under --json each step is a line, the summary the last.',
      )
      .argument('[url]', 'a service, an issuer or a protected address')
      .option(
        '--scope <scope>',
        'what the token has to allow; several in one, or repeated',
        collect,
      )
      .option('--email <address>', 'the user whose registration it is to be')
      .option('--provider <url>', 'the provider that vouches for the user')
      .addOption(
        new Option('--type <type>', 'the kind of registration').choices([...IDENTITY_TYPES]),
      )
      .option('--claim', 'let the user claim it, whatever it may do without')
      .option('--call <path>', 'prove the token by a GET')
      .option('--leave', 'at the end, revoke and forget what this run registered')
      .option('--no-wait', 'stop where a person has to act (exit 8)')
      .addOption(browserOption())
      .action((url: string | undefined, options: ConnectOptions) =>
        run(async (context) => (await import('./connect.ts')).connect(context, url, options)),
      ),
    'connect https://api.example.com',
    'connect https://api.example.com --email alice@example.com --call /reports',
    'connect 127.0.0.1:4800 --scope api.write --email alice@example.com --no-wait --json',
    'connect 127.0.0.1:4800 --call /api/resource --leave',
    'connect 127.0.0.1:4800 --provider 127.0.0.1:4801',
  );
}
