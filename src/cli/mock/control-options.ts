import type { Options } from '../shell/command.ts';
import type { Given } from '../shell/given.ts';
import { collect, count, email } from '../shell/option-values.ts';

export const REVOKE = {
  '--email <email>': ['end the tokens of this user', email],
  '--client-id <id>': 'end the tokens of this client',
  '--all': 'end the tokens of every user and client',
} satisfies Options;

export const CLIENTS = {
  '--add <id:secret>': 'add a client; its secret is a test value',
  '--add-public <id>': 'add a client without credentials',
  '--redirect-uri <uri>': ['where its users may return to; repeatable', collect],
  '--remove <id>': 'remove a client',
} satisfies Options;

export const POLICY = {
  '--user <email>': ['a user', email],
  '--group <name>': 'a group of configured users',
  '--client <id>': 'a client',
  '--audience <url>': 'a service, by its issuer',
  '--resource <url>': 'a resource of a service',
  '--scopes <scopes>': 'grant these alone of what is asked for, separated by spaces',
  '--refuse <code>': 'refuse with this code: access_denied, invalid_scope, …',
  '--clear': 'take back the configured rules',
} satisfies Options;

export const SIGN_IN = {
  '--as <email>': ['sign this user in without a page', email],
  '--deny': 'answer access_denied',
  '--ask': 'show the page',
} satisfies Options;

export const CONSENT = {
  '--approve': 'agree',
  '--deny': 'refuse',
  '--expire': 'let it expire',
} satisfies Options;

export const FAULT = {
  '--clear': 'switch all off',
  '--list [group]': 'list the groups of faults, or the faults of one, also while no mock runs',
  '--search <text>': 'list those whose name, group or description has these words',
} satisfies Options;

export const TRUST = {
  '--name <name>': 'the name shown to users (default: the host of the issuer)',
  '--jwks-uri <url>':
    'where its keys are (default: as its metadata says, else /.well-known/jwks.json)',
  '--client-id <id>': [
    'a client whose ID-JAGs are accepted; repeatable (default: /agent-auth.json below the issuer)',
    collect,
  ],
} satisfies Options;

export const MINT = {
  '--email <email>': ['the user that it names', email, 'alice@example.com'],
  '--audience <url>': 'the issuer of the service (default: the one of `mock up`)',
  '--client-id <id>': 'the client as the service knows it (default: the agent)',
  '--resource <url>': ['a resource of the service; repeatable', collect],
  '--scope <scopes>': 'scopes, separated by spaces',
  '--claim <name=json>': ['a claim in place of its own; repeatable', collect],
  '--header <name=json>': ['a member of the header; repeatable', collect],
  '--omit <name>': ['leave out this claim or member of the header; repeatable', collect],
} satisfies Options;

export const EXCHANGES = {
  '--since <number>': ['only those after the one with this number', count(Number.MAX_SAFE_INTEGER)],
  '--transcript <file>':
    'write them as a document that is the same for each run of the same procedure',
} satisfies Options;

export type RevokeOptions = Given<typeof REVOKE>;
export type ClientsOptions = Given<typeof CLIENTS>;
export type PolicyOptions = Given<typeof POLICY>;
export type SignInOptions = Given<typeof SIGN_IN>;
export type ConsentOptions = Given<typeof CONSENT>;
export type FaultOptions = Given<typeof FAULT>;
export type TrustOptions = Given<typeof TRUST>;
export type MintOptions = Given<typeof MINT>;
export type ExchangesOptions = Given<typeof EXCHANGES>;
