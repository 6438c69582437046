import { InvalidArgumentError } from 'commander';
import type { DirectoryMethod } from '../../mock-service/config/directory.ts';
import type { CommandSpec, Options } from '../shell/command.ts';
import { type OrNull, orNull } from './or-null.ts';

const directory = () => import('./controls/directory.ts');

const MEMBERS: Options = {
  '--id <id>': ['its id, a whole number; null for none', id],
  '--url <url>':
    'its path below the base URL, or a full URL; null for none (default of a new one: /v2/NAME)',
  '--method <id=path>': [
    'a method by its id and its path, either null for none; repeatable',
    method,
  ],
};

export const DIRECTORY_COMMAND: CommandSpec = {
  summary: 'show and change the directory of the running mock service',
  description:
    'Shows the services that the running mock service lists. Its commands change them until the reset, ' +
    'in the database: every process on it follows with its next request.',
  load: async () => (await directory()).mockDirectory,
  examples: ['mock directory', 'mock directory set 269 --url null', 'mock reset'],
  commands: {
    add: {
      summary: 'add a service to the directory',
      description: 'Adds a service to the directory of the running mock service.',
      arguments: [['<name>', 'its name; null for none, which takes an --id']],
      options: MEMBERS,
      load: async () => (await directory()).addToDirectory,
      examples: [
        'mock directory add orders --id 400 --method 4001=/list.{format}',
        'mock directory add null --id 401 --method null=null',
      ],
    },
    set: {
      summary: 'change a service of the directory',
      description:
        'Changes what is given of a service in the directory of the running mock service, and leaves the rest. ' +
        'Methods are replaced as a whole.',
      arguments: [['<service>', 'its id or its name']],
      options: {
        ...MEMBERS,
        '--name <name>': 'its name; null for none',
        '--no-methods': 'list no methods',
      },
      load: async () => (await directory()).setInDirectory,
      examples: [
        'mock directory set foodservices --name null',
        'mock directory set 257 --method 1213=null',
      ],
    },
    remove: {
      summary: 'remove a service from the directory',
      description: 'Removes a service and its methods from the directory of the mock service.',
      arguments: [['<service>', 'its id or its name']],
      load: async () => (await directory()).removeFromDirectory,
      examples: ['mock directory remove buildings'],
    },
  },
};

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
