import { InvalidArgumentError } from 'commander';
import { DIALECT_IDS } from '../../protocol/constants.ts';
import type { Options } from '../shell/command.ts';
import { BROWSER_MODES } from '../terminal/browser.ts';

/** The answer to the one question that documents may leave open. */
export const DIALECT: Options = {
  '--dialect <dialect>': ['the dialect of a service whose documents leave two open', DIALECT_IDS],
};

/** What whoever registers says of the agent, and to which service. */
export const REGISTRATION_OPTIONS: Options = {
  '--agent-name <name>': 'what this agent calls itself to the service (default: nothing is sent)',
  // What no document can name for everybody: a fixed `client_id`, for one.
  '--member <name=value>': [
    'a member that the service demands of every request; repeatable, and remembered',
    collectMembers,
  ],
  ...DIALECT,
};

export const BROWSER: Options = {
  '--browser <mode>': ['when to open the browser automatically', BROWSER_MODES, 'auto'],
};

/** What a client has at one server. */
export function clientOptions(at: 'provider' | 'service'): Options {
  return {
    '--client-id <id>': `what the ${at} knows this agent by; kept`,
    '--client-secret <@file|->': `its secret at the ${at}; kept, and sent there alone`,
    '--client-key <file>': `its private key for the ${at}, as PEM or JWK; kept`,
  };
}

export const FLOW: Options = {
  '--flow <flow>': [
    'sign in on a page here, or by a code on any device (default: on a page where a browser can be opened)',
    ['browser', 'device'],
  ],
};

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
