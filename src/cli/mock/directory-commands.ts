import { type Command, InvalidArgumentError } from 'commander';
import type { DirectoryMethod } from '../../mock-service/config/directory.ts';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import type { DirectoryChange } from './directory.ts';
import { type OrNull, orNull } from './or-null.ts';

/** `mock directory`: what the running mock service lists. */
export function addDirectoryCommands(mock: Command, run: Run): void {
  const directory = mock
    .command('directory')
    .summary('show and change the directory of the running mock service')
    .description(
      'Shows the services that the running mock service lists. Its commands change them until the reset, ' +
        'in the database: every process on it follows with its next request.',
    )
    .action(() => run(async (context) => (await import('./directory.ts')).mockDirectory(context)));

  examples(
    withMembers(directory.command('add'))
      .summary('add a service to the directory')
      .description('Adds a service to the directory of the running mock service.')
      .argument('<name>', 'its name; null for none, which takes an --id')
      .action((name: string, options: DirectoryChange) =>
        run(async (context) =>
          (await import('./directory.ts')).addToDirectory(context, name, options),
        ),
      ),
    'mock directory add orders --id 400 --method 4001=/list.{format}',
    'mock directory add null --id 401 --method null=null',
  );
  examples(
    withMembers(directory.command('set'))
      .summary('change a service of the directory')
      .description(
        'Changes what is given of a service in the directory of the running mock service, and leaves the rest. ' +
          'Methods are replaced as a whole.',
      )
      .argument('<service>', 'its id or its name')
      .option('--name <name>', 'its name; null for none')
      .option('--no-methods', 'list no methods')
      .action((service: string, options: DirectoryChange) =>
        run(async (context) =>
          (await import('./directory.ts')).setInDirectory(context, service, options),
        ),
      ),
    'mock directory set foodservices --name null',
    'mock directory set 257 --method 1213=null',
  );
  examples(
    directory
      .command('remove')
      .summary('remove a service from the directory')
      .description('Removes a service and its methods from the directory of the mock service.')
      .argument('<service>', 'its id or its name')
      .action((service: string) =>
        run(async (context) =>
          (await import('./directory.ts')).removeFromDirectory(context, service),
        ),
      ),
    'mock directory remove buildings',
  );
  examples(directory, 'mock directory', 'mock directory set 269 --url null', 'mock reset');
}

function withMembers(command: Command): Command {
  return command
    .option('--id <id>', 'its id, a whole number; null for none', id)
    .option(
      '--url <url>',
      'its path below the base URL, or a full URL; null for none (default of a new one: /v2/NAME)',
    )
    .option(
      '--method <id=path>',
      'a method by its id and its path, either null for none; repeatable',
      method,
    );
}

/** Commander takes null for no value, so it stays a word here. */
function id(text: string): OrNull<number> {
  if (text === 'null') return text;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('Use a whole number, or null.');
}

function method(text: string, before: readonly DirectoryMethod[] = []): readonly DirectoryMethod[] {
  const [, given, path] = /^(\d+|null)=(.+)$/.exec(text) ?? [];
  if (given === undefined || path === undefined) {
    throw new InvalidArgumentError('Use ID=PATH, for example 4001=/list.{format}.');
  }
  return [...before, { method_id: orNull(id(given)), method_url: orNull(path) }];
}
