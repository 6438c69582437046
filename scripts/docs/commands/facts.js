/**
 * What the tree of commands does not know of itself. `test/cli/support/run-cli.ts` holds each run of a command
 * against it: an exit code or a JSON object that is not listed here fails that test.
 *
 * @typedef {keyof typeof import('../../../src/cli/shell/exit-codes.ts').EXIT_CODES} Outcome
 * @typedef {keyof typeof import('../../../src/cli/shell/exit-codes.ts').EXEC_EXIT_CODES} ExecOutcome
 * @typedef {import('../../../src/cli/shell/schemas.ts').SchemaName} SchemaName
 *
 * @typedef {object} CommandFacts
 * @property {Partial<Record<Outcome | ExecOutcome, string>>} exits when it ends so, beside `COMMON`; an empty
 *   text: as docs/exit-codes.md says it
 * @property {{ code: number, meaning: string }} [declined] a code that no other command ends with
 * @property {readonly SchemaName[]} json what it prints with `--json` when it did its work
 * @property {readonly string[]} see pages of docs/
 */

/** How any command can end. @type {readonly Outcome[]} */
export const COMMON = ['done', 'failed', 'usage', 'interrupted'];

const AGENT = ['give-an-agent-access.md', 'test-an-agent.md'];
const CONTROLS = ['controls.md', 'test-an-agent.md', 'mocks.md'];
const JUDGE = ['make-a-service-agent-ready.md', 'test-in-ci.md', 'conformance.md'];

const NETWORK = { network: '' };
const FOREIGN = { refused: 'A document leads to another origin, and nothing was sent there.' };
const TOKEN = {
  unregistered: '',
  refused: '',
  expired: 'The claim or its code has expired: start again.',
  network: '',
  pending: 'A user has to claim the registration first.',
};
const SIGN_IN = {
  refused: 'Refused by the provider or by the user.',
  expired: 'The code or the page has expired: start again.',
  network: '',
  pending: 'The user has to act. The output says how to resume.',
};
const CONTROL = {
  failed: 'The mock refused it, or knows no such thing.',
  usage: 'Wrong usage, no mock runs, or it is not clear which one is meant.',
  refused: 'It does not fit the state of what it is about.',
  network: 'The mock does not answer.',
};
const SERVER = { done: 'Stopped.', failed: 'It could not start: the message says why.' };
const JUDGED = {
  done: 'It conforms, but for what a baseline lists.',
  failed: 'A must failed.',
  usage:
    'Wrong usage: an option, a file that cannot be read or written, a port that is in use. Nothing was judged, or a report is missing.',
  stale: '',
  inconclusive: '',
};

/** By the words of the command. @type {Readonly<Record<string, CommandFacts>>} */
export const FACTS = {
  connect: {
    exits: {
      ...TOKEN,
      refused: 'Refused by the service, the provider or the user, or the scope is not to be had.',
      pending: 'A user has to act. The output says how to resume.',
    },
    json: ['connect'],
    see: [...AGENT, 'mcp.md', 'json.md'],
  },
  discover: {
    exits: {
      failed: 'Agents cannot register there, or a document is wrong.',
      ...FOREIGN,
      ...NETWORK,
    },
    json: ['discover'],
    see: ['give-an-agent-access.md', 'make-a-service-agent-ready.md', 'dialects.md'],
  },
  register: {
    exits: { ...SIGN_IN, refused: 'Refused by the service, the provider or the user.' },
    json: ['register'],
    see: [...AGENT, 'claim-machine.md'],
  },
  claim: {
    exits: {
      unregistered: '',
      refused: 'The user denied it, or the code is wrong.',
      expired: 'The code or the time to claim has expired: start again.',
      network: '',
      pending: 'Still open: the user has to act. The output says how to resume.',
    },
    json: ['claim'],
    see: [...AGENT, 'claim-machine.md', 'json.md'],
  },
  token: { exits: TOKEN, json: ['token'], see: AGENT },
  call: {
    exits: {
      ...TOKEN,
      done: 'The answer has a status from 200 to 299.',
      failed: 'Any other status, or no answer could be printed.',
      unregistered: 'Not registered, or the token was refused (401).',
      refused: 'Refused: 403 or 429, or the registration was.',
    },
    json: ['call'],
    see: [...AGENT, 'debug-with-the-proxy.md'],
  },
  skill: {
    exits: { failed: 'There is no skill file, or it cannot be shown.', ...FOREIGN, ...NETWORK },
    json: ['skill'],
    see: ['give-an-agent-access.md', 'make-a-service-agent-ready.md'],
  },
  exec: {
    exits: { ...TOKEN, notRunnable: '', notFound: '', signalled: '' },
    json: [],
    see: ['give-an-agent-access.md', 'other-languages.md'],
  },
  status: {
    exits: { unregistered: 'Nothing is registered on this machine.' },
    json: ['status'],
    see: ['give-an-agent-access.md', 'claim-machine.md', 'json.md'],
  },
  use: {
    exits: { unregistered: 'There is no such registration.' },
    json: ['use'],
    see: ['give-an-agent-access.md'],
  },
  revoke: {
    exits: { unregistered: '', refused: '', network: '' },
    json: ['revoke'],
    see: ['give-an-agent-access.md'],
  },
  forget: {
    exits: { unregistered: 'There is no such registration.' },
    json: ['forget'],
    see: ['give-an-agent-access.md'],
  },
  services: {
    exits: { refused: 'Refused by the service.', ...NETWORK },
    json: ['services'],
    see: ['give-an-agent-access.md', 'mocks.md'],
  },
  'provider login': { exits: SIGN_IN, json: ['providerLogin'], see: AGENT },
  'provider consent': { exits: SIGN_IN, json: ['providerConsent'], see: AGENT },
  'provider mint': { exits: SIGN_IN, json: ['providerMint'], see: [...AGENT, 'glossary.md'] },
  'provider revoke': {
    exits: {
      ...SIGN_IN,
      pending:
        'The consent is revoked, but the service refused the notification, or a user has to act.',
    },
    json: ['providerRevoke'],
    see: [...AGENT, 'glossary.md'],
  },
  'mock service': {
    exits: SERVER,
    json: ['mockReady', 'mockEvent'],
    see: ['test-an-agent.md', 'mocks.md', 'replay.md'],
  },
  'mock provider': {
    exits: SERVER,
    json: ['mockReady', 'mockEvent'],
    see: ['stand-in-for-a-provider.md', 'mocks.md'],
  },
  'mock up': {
    exits: SERVER,
    json: ['mockReady', 'mockEvent'],
    see: ['test-an-agent.md', 'other-languages.md', 'mocks.md'],
  },
  'mock open': { exits: CONTROL, json: ['mockOpen'], see: ['mocks.md', 'controls.md'] },
  'mock advance': { exits: CONTROL, json: ['mockState'], see: CONTROLS },
  'mock list': { exits: CONTROL, json: ['mockList', 'mockRegistration'], see: CONTROLS },
  'mock complete': { exits: CONTROL, json: ['mockRegistration'], see: CONTROLS },
  'mock deny': { exits: CONTROL, json: ['mockRegistration'], see: CONTROLS },
  'mock revoke': {
    exits: CONTROL,
    json: ['mockRegistration', 'mockTokensEnded'],
    see: ['controls.md', 'test-cross-app-access.md'],
  },
  'mock clients': {
    exits: CONTROL,
    json: ['mockClients'],
    see: ['test-cross-app-access.md', 'controls.md'],
  },
  'mock policy': {
    exits: CONTROL,
    json: ['mockPolicy'],
    see: ['test-cross-app-access.md', 'controls.md'],
  },
  'mock rotate': { exits: CONTROL, json: ['mockRotate'], see: CONTROLS },
  'mock fault': {
    exits: CONTROL,
    json: ['mockState', 'mockFaults'],
    see: ['own-faults.md', 'controls.md'],
  },
  'mock sign-in': {
    exits: CONTROL,
    json: ['mockSignIn'],
    see: ['test-cross-app-access.md', 'controls.md'],
  },
  'mock consent': {
    exits: CONTROL,
    json: ['mockConsents'],
    see: ['test-cross-app-access.md', 'controls.md'],
  },
  'mock trust': {
    exits: CONTROL,
    json: ['mockTrust'],
    see: ['stand-in-for-a-provider.md', 'controls.md', 'mocks.md'],
  },
  'mock directory': {
    exits: CONTROL,
    json: ['mockDirectory', 'mockDirectoryService'],
    see: ['mocks.md', 'controls.md'],
  },
  'mock mint': {
    exits: CONTROL,
    json: ['mockMint'],
    see: ['test-cross-app-access.md', 'controls.md'],
  },
  'mock mails': { exits: CONTROL, json: ['mockMails'], see: CONTROLS },
  'mock outbox': {
    exits: { ...CONTROL, failed: 'The event could not be delivered, or the mock refused.' },
    json: ['mockOutbox'],
    see: ['controls.md', 'stand-in-for-a-provider.md'],
  },
  'mock audit': { exits: CONTROL, json: ['mockAudit'], see: CONTROLS },
  'mock exchanges': {
    exits: {
      ...CONTROL,
      usage:
        'Wrong usage, no mock runs, it is not clear which one is meant, or the file cannot be written.',
    },
    json: ['mockExchanges'],
    see: ['controls.md', 'replay.md', 'debug-with-the-proxy.md'],
  },
  'mock reset': { exits: CONTROL, json: ['mockState'], see: CONTROLS },
  proxy: {
    exits: {
      done: 'Stopped.',
      failed: 'It could not start, or a requirement of the level of --fail-on was broken.',
      usage:
        'Wrong usage; also: no proxy runs, it is not clear which one is meant, or the transcript cannot be written.',
    },
    json: [
      'proxyReady',
      'proxyOrigin',
      'proxyExchange',
      'proxyFinding',
      'proxyEvent',
      'proxySummary',
      'proxyOpen',
    ],
    see: ['debug-with-the-proxy.md', 'proxy.md', 'replay.md'],
  },
  demo: {
    exits: {},
    json: ['demoExchange', 'demoSummary'],
    see: ['README.md', 'give-an-agent-access.md'],
  },
  'conformance service': {
    exits: {
      ...JUDGED,
      failed: 'A must failed, or nothing for agents is published at the URL.',
      network: 'The service does not answer.',
    },
    json: ['conformance'],
    see: [...JUDGE],
  },
  'conformance agent': {
    exits: JUDGED,
    json: ['conformance'],
    see: ['test-an-agent.md', 'test-in-ci.md', 'conformance-agent.md'],
  },
  'conformance perform': {
    exits: TOKEN,
    declined: { code: 77, meaning: 'It does not know this task: the scenario is skipped.' },
    json: [],
    see: ['conformance-agent.md'],
  },
  'conformance provider': {
    exits: {
      ...JUDGED,
      failed: 'A must failed, or what answers is no provider.',
      network: 'The provider does not answer.',
    },
    json: ['conformance'],
    see: ['test-in-ci.md', 'conformance.md'],
  },
  'conformance list': {
    exits: {},
    json: ['conformanceList'],
    see: ['conformance.md'],
  },
  mcp: {
    exits: {
      done: 'The host closed the connection, or ended it.',
      failed: 'It could not start: its package is not installed.',
    },
    json: ['mcpConfig'],
    see: ['mcp.md', 'give-an-agent-access.md'],
  },
  lint: {
    exits: {
      done: 'There are at most warnings.',
      failed: 'There is an error.',
      usage: 'Wrong usage: also no such folder, no URL, and a file that cannot be written.',
      network: 'Nothing answers.',
    },
    json: ['lint', 'lintMended', 'lintIdJag', 'lintRules'],
    see: ['make-a-service-agent-ready.md', 'test-in-ci.md'],
  },
  doctor: {
    exits: {
      done: 'Nothing failed.',
      failed: 'Something failed.',
      network: 'Only the network failed.',
    },
    json: ['doctor'],
    see: ['README.md', 'give-an-agent-access.md'],
  },
  completion: { exits: {}, json: ['completion'], see: ['README.md'] },
  help: {
    exits: {},
    json: ['options', 'errorMembers', 'exitCodes', 'environment'],
    see: ['exit-codes.md', 'json.md'],
  },
};
