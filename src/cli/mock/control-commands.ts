import type { Commands, Row } from '../shell/command.ts';
import { duration, durationOrZero, email } from '../shell/option-values.ts';
import {
  CLIENTS,
  CONSENT,
  EXCHANGES,
  FAULT,
  MINT,
  POLICY,
  REVOKE,
  SIGN_IN,
  TRUST,
} from './control-options.ts';
import { DIRECTORY_COMMAND } from './directory-command.ts';

const REGISTRATION = '[registration]';
const part = (meaning: string): Row => ['[part]', meaning, ['service', 'provider']];
const registrations = () => import('./controls/registrations.ts');
const crossApp = () => import('./controls/cross-app.ts');
const state = () => import('./controls/state.ts');
const seen = () => import('./controls/seen.ts');

/** The commands for the mocks that run on this machine: what each does is in `controls/`. */
export const CONTROL_COMMANDS: Commands = {
  open: {
    summary: 'open the live view of the running mocks in the browser',
    description:
      'Opens the live view: exchanges as they happen, registrations with their codes, mails, and the controls as ' +
      'buttons. The link is good once, for 60 seconds.',
    arguments: [part('of which mock (default: the one that runs)')],
    options: {
      '--print': 'print the link, open no browser',
    },
    load: async () => (await import('./controls/open.ts')).mockOpen,
    examples: ['mock open', 'mock open --print'],
  },
  advance: {
    summary: 'move the clock of the running mocks',
    description:
      'Moves the clock of the running mocks. Agents see it in the Date header of each response.',
    arguments: [['<duration>', 'how far, for example 11m', duration]],
    load: async () => (await state()).mockAdvance,
    examples: ['mock advance 11m'],
  },
  list: {
    summary: 'show what is registered at the running mock service',
    description: 'Shows the registrations of the running mock service, or all details of one.',
    arguments: [[REGISTRATION, 'its id (default: all)']],
    load: async () => (await registrations()).mockList,
    examples: ['mock list', 'mock list --json'],
  },
  complete: {
    summary: 'complete the open claim at the running mock service, as its user would',
    description: 'Completes the open claim, as its user would in the browser.',
    arguments: [[REGISTRATION, 'its id (default: the one whose claim is open)']],
    options: {
      '--email <email>': 'the user who does it (default: the one that the claim is for)',
    },
    load: async () => (await registrations()).mockComplete,
    examples: ['mock complete'],
  },
  deny: {
    summary: 'deny the open claim at the running mock service, as its user would',
    description: 'Denies the open claim, as its user would in the browser.',
    arguments: [[REGISTRATION, 'its id (default: the one whose claim is open)']],
    options: {
      '--email <email>': 'the user who does it (default: the one that the claim is for)',
    },
    load: async () => (await registrations()).mockDeny,
    examples: ['mock deny'],
  },
  revoke: {
    summary: 'end a registration, or the tokens of a user or a client, at the running mocks',
    description:
      'Ends a registration of the running mock service, as its user would on the page of connections: ' +
      'its tokens are refused from then on. With an option it ends the tokens of cross-app access at each mock, as ' +
      'an administrator would.',
    arguments: [[REGISTRATION, 'its id (default: the only one that is live)']],
    options: REVOKE,
    load: async () => (await registrations()).mockRevoke,
    examples: [
      'mock revoke',
      'mock revoke reg_2pfk0c51',
      'mock revoke --client-id app --email alice@example.com',
    ],
  },
  clients: {
    summary: 'show, add and remove the clients of the running mocks',
    description:
      'Shows which clients the running mocks know, adds one at each mock or removes one, until the reset. A mock ' +
      'without any takes every client; the first one closes it.',
    options: CLIENTS,
    load: async () => (await crossApp()).mockClients,
    examples: ['mock clients', 'mock clients --add app:a-test-secret', 'mock clients --remove app'],
  },
  policy: {
    summary: 'show and change what the running mock provider lets clients reach',
    description:
      'Shows the rules of the running mock provider, of which the first one that fits decides. With other options ' +
      'it puts a rule before them, until the reset: for whom, and what is granted. What is left out is everybody ' +
      'or everything.',
    options: POLICY,
    load: async () => (await crossApp()).mockPolicy,
    examples: [
      'mock policy',
      'mock policy --user alice@example.com --client app --refuse access_denied',
      'mock policy --clear',
    ],
  },
  'sign-in': {
    summary: 'decide in place of users how they sign in to clients at the running mock provider',
    description:
      'Shows what authorization requests meet at the running mock provider, or decides it until the reset: the page, ' +
      'a user who is signed in without it, or one who refuses.',
    options: SIGN_IN,
    load: async () => (await crossApp()).mockSignIn,
    examples: ['mock sign-in --as alice@example.com', 'mock sign-in --deny', 'mock sign-in --ask'],
  },
  consent: {
    summary: 'show and answer what the running mock provider asks users about agents',
    description:
      'Shows the consent requests of the running mock provider, or answers one in place of its user.',
    arguments: [['[request]', 'its id (default: the only open one)']],
    options: CONSENT,
    load: async () => (await crossApp()).mockConsent,
    examples: ['mock consent', 'mock consent --approve'],
  },
  rotate: {
    summary: 'rotate the signing keys of the running mocks',
    description:
      'Publishes a new signing key at once and signs with it after the lead. The old key stays ' +
      'published while anything that it signed is valid.',
    arguments: [part('which mock (default: both)')],
    options: {
      '--lead <duration>': [
        'how long to publish it before signing with it (default: 5m)',
        durationOrZero,
      ],
    },
    load: async () => (await state()).mockRotate,
    examples: ['mock rotate provider', 'mock rotate service --lead 0s'],
  },
  fault: {
    summary: 'switch faults of the running mocks on and off',
    description:
      'Switches exactly the named faults on, all others off. Without a name, shows those that are on.',
    arguments: [['[name...]', 'faults, for example noSlowDown']],
    options: FAULT,
    load: async () => (await import('./controls/faults.ts')).mockFault,
    examples: [
      'mock fault noSlowDown acceptedReplay',
      'mock fault --list claim',
      'mock fault --search audience',
      'mock fault --clear',
    ],
  },
  trust: {
    summary: 'make the running mock service trust another provider',
    description:
      'Makes the running mock service accept ID-JAGs and events of a provider until it is reset. A provider ' +
      'that it trusts already is replaced, and its keys are fetched again.',
    arguments: [['<issuer>', 'the provider: the iss of what it signs']],
    options: TRUST,
    load: async () => (await crossApp()).mockTrust,
    examples: [
      'mock trust http://127.0.0.1:4899',
      'mock trust https://provider.example --name Example --client-id my-agent',
    ],
  },
  directory: DIRECTORY_COMMAND,
  mails: {
    summary: 'show what the running mock service sent by mail',
    description:
      'Shows the mails of the running mock service, newest first: to whom, and the text with its code ' +
      'and link. A service sends some where its dialect or a quirk has codes mailed.',
    options: {
      '--to <email>': ['only those to this user', email],
    },
    load: async () => (await seen()).mockMails,
    examples: ['mock mails', 'mock mails --to alice@example.com --json'],
  },
  outbox: {
    summary: 'show the revocation events of the running mock provider',
    description:
      'Shows each revocation event of the running mock provider: delivered, pending or parked.',
    options: {
      '--send <event>': 'send this event again, even if it is parked',
    },
    load: async () => (await seen()).mockOutbox,
    examples: ['mock outbox'],
  },
  mint: {
    summary: 'mint an ID-JAG at the running mock provider, without a sign-in',
    description:
      'Mints an ID-JAG at the running mock provider and prints it, whatever consent and policy would say. Any claim ' +
      'and any member of the header can be another, or left out: to see what a service does with it.',
    options: MINT,
    load: async () => (await import('./controls/mint.ts')).mockMint,
    examples: [
      'mock mint --client-id app --resource http://127.0.0.1:4800/mcp --scope api.read',
      'mock mint --claim \'aud=["https://a.example","https://b.example"]\' --omit jti',
    ],
  },
  audit: {
    summary: 'show every change of state at the running mocks',
    description: 'Shows what changed at the running mocks: when, by whom, which registration.',
    load: async () => (await seen()).mockAudit,
    examples: ['mock audit'],
  },
  exchanges: {
    summary: 'show the requests that the running mocks saw, and their answers',
    description:
      'Shows the requests that the running mocks saw, oldest first: when, to which mock, status. With ' +
      '--json with headers and bodies, secrets as fingerprints.',
    arguments: [part('of which mock (default: both)')],
    options: EXCHANGES,
    load: async () => (await seen()).mockExchanges,
    examples: [
      'mock exchanges',
      'mock exchanges service --since 12 --json',
      'mock exchanges --transcript flow.json',
    ],
  },
  reset: {
    summary: 'reset the running mocks to their initial state',
    description:
      'Removes every registration, session and event, and restores the clock and the initial ' +
      'faults. Keys stay.',
    load: async () => (await state()).mockReset,
    examples: ['mock reset'],
  },
};
