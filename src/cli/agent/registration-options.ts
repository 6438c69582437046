import { InvalidArgumentError, Option } from 'commander';
import { DIALECT_IDS } from '../../protocol/constants.ts';

/** The answer to the one question that documents may leave open. */
export function dialectOption(): Option {
  return new Option(
    '--dialect <dialect>',
    'the dialect of a service whose documents leave two open',
  ).choices(DIALECT_IDS);
}

export function agentNameOption(): Option {
  return new Option(
    '--agent-name <name>',
    'what this agent calls itself to the service (default: nothing is sent)',
  );
}

/** What no document can name for everybody: a fixed `client_id`, for one. */
export function memberOption(): Option {
  return new Option(
    '--member <name=value>',
    'a member that the service demands of every request; repeatable, and remembered',
  ).argParser(collectMembers);
}

function collectMembers(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_][\w.-]*)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined || Object.hasOwn(previous, name)) {
    throw new InvalidArgumentError('Use NAME=VALUE, each name once.');
  }
  return { ...previous, [name]: value };
}
