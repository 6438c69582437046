import { BROWSER, clientOptions, FLOW } from '../prompts/options.ts';
import type { Options } from '../shell/command.ts';
import type { Given } from '../shell/given.ts';
import { duration, port } from '../shell/option-values.ts';

const AUDIENCE = {
  '--audience <issuer>': 'the service (default: the service in use)',
} satisfies Options;
export const TIMEOUT = {
  '--timeout <duration>': [
    'give up waiting after this time, with exit 8 (default: wait until it ends)',
    duration,
  ],
} satisfies Options;

export const LOGIN = {
  ...clientOptions('provider'),
  ...FLOW,
  '--fresh': 'sign in again, even if the browser is already signed in',
  '--redirect-port <port>': [
    'where the browser comes back to, for a provider that compares ports (default: a free one)',
    port,
  ],
  '--no-wait': 'show the code and return at once (exit 8)',
  ...BROWSER,
} satisfies Options;

export const CONSENT = {
  ...AUDIENCE,
  '--scope <scopes>': 'the scopes to consent to, separated by spaces',
  '--no-wait': 'show the page and return at once (exit 8)',
  ...BROWSER,
} satisfies Options;

export const MINT = {
  ...AUDIENCE,
  '--scope <scopes>': 'the scopes to ask for, separated by spaces',
  '--resource <url>': 'bind it to one resource',
} satisfies Options;

export const REVOKE = {
  ...AUDIENCE,
  ...BROWSER,
} satisfies Options;

type Waiting = Given<typeof TIMEOUT>;
export type LoginOptions = Given<typeof LOGIN>;
export type LoginWaitOptions = LoginOptions & Waiting;
export type ConsentOptions = Given<typeof CONSENT>;
export type ConsentWaitOptions = ConsentOptions & Waiting;
export type MintOptions = Given<typeof MINT>;
export type RevokeOptions = Given<typeof REVOKE>;
