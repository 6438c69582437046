import { type Command, Option } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import type { ServicesOptions } from './services.ts';

export function addDirectoryCommands(program: Command, run: Run): void {
  examples(
    program
      .command('services')
      .summary('list what a service directory offers')
      .description(
        'Reads /api/services of a service, without credentials, and shows it as a table, ' +
          'or byte for byte as it was served.',
      )
      .argument('[url]', 'the base address of the service')
      .addOption(
        new Option('--format <format>', 'a table, or the answer as served')
          .choices(['table', 'json', 'xml'])
          .default('table'),
      )
      .action((url: string | undefined, options: ServicesOptions) =>
        run(async (context) => (await import('./services.ts')).services(context, url, options)),
      ),
    'services',
    'services 127.0.0.1:4800 --format json',
    'services --format xml',
  );
}
