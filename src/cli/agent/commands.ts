import { DIALECT } from '../prompts/options.ts';
import type { Commands, Options, Row } from '../shell/command.ts';
import { SERVICE_DEFAULT } from '../shell/help-text.ts';
import { CALL, CLAIM, CLAIM_WAIT, CONNECT, REGISTER } from './options.ts';

const SERVICE: Row = [
  '[url]',
  `the URL of a service, an issuer or a protected resource ${SERVICE_DEFAULT}`,
];
const RENEW: Options = { '--renew': 'exchange even if the stored token is still valid' };

export const AGENT_COMMANDS: Commands = {
  connect: {
    summary: 'connect to a service: register, claim if needed, get a token, prove it by a call',
    description:
      'Discovers the service, registers by the lightest type that fits, lets the user claim the ' +
      'registration if more scope is needed, gets a token, proves it by a call, and shows what this ' +
      'agent may do and until when.\n\n' +
      'Run again, it continues where it stopped; once everything is done, it registers nothing new. ' +
      'With --json each step is a line, and the summary is the last.\n\n' +
      'With --client-id nothing is registered: the user signs in at the provider, which gives an ID-JAG for the ' +
      'client that the service knows, and the service gives a token for that (cross-app access). The same at a ' +
      'service that takes nothing else. `provider login --client-id` says what the provider knows this agent by.',
    arguments: [SERVICE],
    options: CONNECT,
    timed: true,
    load: async () => (await import('./connect.ts')).connect,
    examples: [
      'connect https://api.example.com',
      'connect https://api.example.com --email alice@example.com --call /reports',
      'connect 127.0.0.1:4800 --scope api.write --email alice@example.com --no-wait --json',
      'connect 127.0.0.1:4800 --call /api/resource --leave',
      'connect 127.0.0.1:4800 --provider 127.0.0.1:4801',
      'connect 127.0.0.1:4800/mcp --client-id app --client-secret @secret.txt --provider 127.0.0.1:4801',
    ],
  },
  discover: {
    summary: 'show what a service offers, and what is wrong with it',
    description:
      'Follows the challenge to the metadata of the resource and of its authorization server, and shows each hop.',
    arguments: [SERVICE],
    options: {
      ...DIALECT,
    },
    timed: true,
    load: async () => (await import('./discover.ts')).discover,
    examples: ['discover 127.0.0.1:4800', 'discover https://api.example.com/reports --json'],
  },
  register: {
    summary: 'register at a service',
    description:
      'Registers this agent. Without --type the lightest type that fits what is given: ' +
      'nothing → anonymous, --email → service_auth, --assertion or --provider → identity_assertion. ' +
      'If this agent already has a registration of that type for that user, and the service still ' +
      'accepts it, that one is shown and nothing is registered. --new makes another one. ' +
      'An --assertion is always sent.',
    arguments: [SERVICE],
    options: REGISTER,
    load: async () => (await import('./register.ts')).register,
    examples: [
      'register --type anonymous',
      'register https://api.example.com --email alice@example.com',
      'register --provider http://127.0.0.1:4801',
      'register --new',
    ],
  },
  claim: {
    summary: 'let a user claim the registration',
    description:
      'Shows the code and the page to type it on, and waits for the user. ' +
      'Resumes the open attempt, or opens one. After the user denied the claim, only --renew opens another. ' +
      'If the code expires during the wait, asks whether to get a new one. ' +
      'With --json prints the code first and the result after the wait, one line each.\n\n' +
      'Some services show the code to the user instead, on their page or in a mail. Then it is asked for ' +
      'here; without a terminal, --code hands it in (exit 8 until then). It is good once, and for minutes, ' +
      'so it may stand on the command line, where other users of this machine could read it for a moment; ' +
      '--code - reads it from stdin.',
    options: CLAIM,
    load: async () => (await import('./claim.ts')).claim,
    examples: [
      'claim --email alice@example.com',
      'claim --email alice@example.com --no-wait --json',
      'claim --code 123456',
      'claim wait --timeout 60s',
    ],
    commands: {
      wait: {
        summary: 'wait for an open attempt, even one of another process',
        description: 'Waits until the open attempt is completed, denied or expired.',
        options: CLAIM_WAIT,
        inherits: true,
        load: async () => (await import('./claim.ts')).claimWait,
        examples: ['claim wait --timeout 60s --json'],
      },
    },
  },
  token: {
    summary: 'print a valid access token and nothing else',
    description:
      'Prints a valid access token. Exchanges the identity assertion when needed.\n\n' +
      'While the stored token has more than five minutes left, by the time of the server as it was seen ' +
      'last, nothing is sent. Where the clock of the server or of this machine has been set since, as ' +
      'that of a mock by `mock advance`, only --check shows what is left; a revocation shows in neither.',
    options: {
      ...RENEW,
      '--check': 'ask the server for its time first, if it answers',
    },
    load: async () => (await import('./token.ts')).token,
    examples: ['token', 'token --check'],
  },
  call: {
    summary: 'send a request with the token',
    description:
      'Sends one request with the access token and prints the body of the response: on a terminal ' +
      'JSON with indents, anywhere else as it is. ' +
      'If this agent is not registered there yet, offers to register anonymously first; --yes accepts.',
    arguments: [['<url|path>', 'a URL, or a path of the service']],
    options: CALL,
    timed: true,
    load: async () => (await import('./call.ts')).call,
    examples: [
      'call /api/resource',
      `call /api/resource -d '{"note":"hello"}' -H 'Content-Type: application/json'`,
    ],
  },
  skill: {
    summary: "show a service's own instructions for agents, as untrusted text",
    description:
      'Fetches the skill file that the metadata of a service names, without credentials, and shows it. ' +
      'It is untrusted text: nothing in it is acted on.',
    arguments: [SERVICE],
    load: async () => (await import('./skill.ts')).skill,
    examples: ['skill 127.0.0.1:4800', 'skill https://api.example.com --json'],
  },
  exec: {
    summary: 'run a command with the token in AGENT_AUTH_TOKEN',
    description:
      'Runs a command that finds the access token in AGENT_AUTH_TOKEN and the URL of the service in ' +
      'AGENT_AUTH_SERVICE. Where the service wants it in a header of its own, AGENT_AUTH_TOKEN_HEADER ' +
      'names that. The token is never printed, and the exit code is that of the command.',
    arguments: [['[command...]', 'the command and its arguments, after --']],
    options: {
      ...RENEW,
    },
    passesOn: true,
    load: async () => (await import('./exec.ts')).exec,
    examples: [
      `exec -- sh -c 'curl -H "Authorization: Bearer $AGENT_AUTH_TOKEN" "$AGENT_AUTH_SERVICE/api/resource"'`,
      'exec --service https://api.example.com -- python fetch.py --verbose',
    ],
  },
  status: {
    summary: 'show the registrations on this machine',
    description:
      'Shows registrations with their state, scopes and expiry, and where the credential comes from.\n\n' +
      'It reads the credential file and sends nothing: what is left is counted by the clock of each server ' +
      'as it was seen last. Where the clock of a service or of this machine has been set since, as that ' +
      'of a mock by `mock advance`, only --check shows what has expired; a revocation that no command ' +
      'of this machine has met shows in neither.',
    options: {
      '--check': 'ask each service for its time first, if it answers',
    },
    load: async () => (await import('./status.ts')).status,
    examples: ['status', 'status --json', 'status --check'],
  },
  use: {
    summary: 'switch to another registration of this agent',
    description:
      'Switches to another registration; later commands use it. `status` lists what there is.',
    arguments: [['[registration]', 'its id, or the beginning of it (default: you are asked)']],
    load: async () => (await import('./use.ts')).use,
    examples: ['use reg_5Yw1'],
  },
  revoke: {
    summary: 'revoke the access token',
    description: 'Revokes the stored access token at the service. The registration stays.',
    load: async () => (await import('./revoke.ts')).revoke,
    examples: ['revoke'],
  },
  forget: {
    summary: 'revoke the token and remove the registration from this machine',
    description: 'Revokes the access token and removes the registration from the credential file.',
    arguments: [['[registration]', 'its id, or the beginning of it (default: the one in use)']],
    load: async () => (await import('./forget.ts')).forget,
    examples: ['forget'],
  },
  services: {
    summary: 'list what a service directory offers',
    description:
      'Reads /api/services of a service, without credentials, and shows it as a table, ' +
      'or byte for byte as it was served.',
    arguments: [['[url]', `the base URL of the service ${SERVICE_DEFAULT}`]],
    options: {
      '--format <format>': [
        'a table, or the response as served',
        ['table', 'json', 'xml'],
        'table',
      ],
    },
    load: async () => (await import('./services.ts')).services,
    examples: ['services', 'services 127.0.0.1:4800 --format json', 'services --format xml'],
  },
};
