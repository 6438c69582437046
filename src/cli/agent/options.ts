import { IDENTITY_TYPES } from '../../protocol/constants.ts';
import { BROWSER, clientOptions, FLOW, REGISTRATION_OPTIONS } from '../prompts/options.ts';
import type { Options } from '../shell/command.ts';
import type { Given } from '../shell/given.ts';
import { collect, duration } from '../shell/option-values.ts';

const TYPE = { '--type <type>': ['the type of registration', IDENTITY_TYPES] } satisfies Options;

export const CONNECT = {
  '--scope <scope>': [
    'a scope that the token must have, or several separated by spaces; repeatable',
    collect,
  ],
  '--email <email>': 'the user to register for',
  '--provider <url>': 'the provider that identifies the user',
  ...clientOptions('service'),
  ...FLOW,
  ...TYPE,
  ...REGISTRATION_OPTIONS,
  '--claim': 'let the user claim it, even if no more scope is needed',
  '--call <path>': 'prove the token by a GET of this path',
  '--leave': 'at the end, revoke and forget what this run registered',
  '--no-wait': 'stop where the user has to act (exit 8)',
  ...BROWSER,
} satisfies Options;

export const REGISTER = {
  ...TYPE,
  '--email <email>': 'the user who will confirm (service_auth)',
  '--assertion <@file|->': 'read the ID-JAG from a file or from stdin',
  '--provider <url>': 'mint the ID-JAG at this provider',
  ...REGISTRATION_OPTIONS,
  '--new': 'make another registration, even if there is one',
  ...BROWSER,
} satisfies Options;

export const CLAIM = {
  '--email [email]': 'the user who claims it; without a value you are asked',
  '--renew': 'always open a new attempt',
  '--code <code|->': 'hand in the code that the user read on the page or in the mail',
  '--no-wait': 'show the code and return at once (exit 8)',
  ...BROWSER,
} satisfies Options;

export const CLAIM_WAIT = {
  '--timeout <duration>': [
    'give up waiting after this time, with exit 8 (default: wait until it ends)',
    duration,
  ],
} satisfies Options;

export const CALL = {
  '-X, --request <method>': 'the method (default: GET, with data POST)',
  '-H, --header <line>': ['a header, as "Name: value"; repeatable', collect],
  '-d, --data <data|@file|->': 'the body: text, a file or stdin',
  '-o, --output <file>': 'a file for the body, as it is',
  '-i, --include': 'print status and headers before the body',
} satisfies Options;

export type ConnectOptions = Given<typeof CONNECT>;
export type RegisterOptions = Given<typeof REGISTER>;
export type ClaimOptions = Given<typeof CLAIM>;
/** `claim wait` is parsed with the options of `claim`, too. */
export type ClaimWaitOptions = ClaimOptions & Given<typeof CLAIM_WAIT>;
export type CallOptions = Given<typeof CALL>;
