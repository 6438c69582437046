import { InvalidArgumentError } from 'commander';
import { DIALECT_IDS } from '../../protocol/constants.ts';
import type { Options } from '../shell/command.ts';
import type { Given } from '../shell/given.ts';
import { BROWSER_MODES } from '../terminal/browser.ts';

/** The answer to the one question that documents may leave open. */
export const DIALECT = {
  '--dialect <dialect>': ['the dialect of a service whose documents leave two open', DIALECT_IDS],
} satisfies Options;

/** What whoever registers says of the agent, and to which service. */
export const REGISTRATION_OPTIONS = {
  '--agent-name <name>': 'what this agent calls itself to the service (default: nothing is sent)',
  // What no document can name for everybody: a fixed `client_id`, for one.
  '--member <name=value>': [
    'a member that the service demands of every request; repeatable, and remembered',
    collectMembers,
  ],
  ...DIALECT,
} satisfies Options;

export const BROWSER = {
  '--browser <mode>': ['when to open the browser automatically', BROWSER_MODES, 'auto'],
} satisfies Options;

/** What a client has at one server. */
export function clientOptions(at: 'provider' | 'service') {
  return {
    '--client-id <id>': `what the ${at} knows this agent by; kept`,
    '--client-secret <@file|->': `its secret at the ${at}; kept, and sent there alone`,
    '--client-key <file>': `its private key for the ${at}, as PEM or JWK; kept`,
  } satisfies Options;
}

export const FLOW = {
  '--flow <flow>': [
    'sign in on a page here, or by a code on any device (default: on a page where a browser can be opened)',
    ['browser', 'device'] as const,
  ],
} satisfies Options;

/** What only a new registration is made with. */
export type RegistrationSettings = Given<typeof REGISTRATION_OPTIONS>;
/** What one server knows this agent by. */
export type ClientOptions = Given<ReturnType<typeof clientOptions>>;
/** How the user signs in: on a page in a browser here, or by a code on any device. */
export type SignInFlow = NonNullable<Given<typeof FLOW>['flow']>;

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
