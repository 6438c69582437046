import { InvalidArgumentError } from 'commander';
import { DIALECT_IDS } from '../../protocol/constants.ts';
import type { Row } from '../shell/command.ts';
import { BROWSER_MODES } from '../terminal/browser.ts';

/** The answer to the one question that documents may leave open. */
export const DIALECT: Row = [
  '--dialect <dialect>',
  'the dialect of a service whose documents leave two open',
  DIALECT_IDS,
];

/** What whoever registers says of the agent, and to which service. */
export const REGISTRATION_OPTIONS: readonly Row[] = [
  ['--agent-name <name>', 'what this agent calls itself to the service (default: nothing is sent)'],
  // What no document can name for everybody: a fixed `client_id`, for one.
  [
    '--member <name=value>',
    'a member that the service demands of every request; repeatable, and remembered',
    collectMembers,
  ],
  DIALECT,
];

export const BROWSER: Row = [
  '--browser <mode>',
  'when to open the browser automatically',
  BROWSER_MODES,
  'auto',
];

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
