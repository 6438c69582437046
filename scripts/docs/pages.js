import { attacksPage } from './attacks-page.js';
import { commandPages } from './commands/command-pages.js';
import { conformancePage } from './conformance-page.js';
import { dialectsPage } from './dialects-page.js';
import { errorCodesPage } from './error-codes-page.js';
import { importSource } from './import-source.js';
import { lintPage } from './lint-page.js';
import { page, table } from './markdown.js';
import { mcpPage } from './mcp-page.js';
import { openapiDocuments } from './openapi-documents.js';

/**
 * @typedef {object} Page
 * @property {string} file from the project's root
 * @property {string} markdown
 */

/**
 * The pages that mirror code: each is printed from the table that the program itself uses.
 *
 * @param {string} root of the project
 * @returns {Promise<Page[]>}
 */
export async function pages(root) {
  return [
    { file: 'docs/claim-machine.md', markdown: await claimMachine(root) },
    { file: 'docs/checks.md', markdown: await checks(root) },
    { file: 'docs/faults.md', markdown: await faults(root) },
    { file: 'docs/exit-codes.md', markdown: await exitCodes(root) },
    { file: 'docs/error-codes.md', markdown: await errorCodesPage(root) },
    { file: 'docs/wire-codes.md', markdown: await wireCodes(root) },
    { file: 'docs/conformance-checks.md', markdown: await conformancePage(root) },
    { file: 'docs/attack-checks.md', markdown: await attacksPage(root) },
    { file: 'docs/dialects.md', markdown: await dialectsPage(root) },
    { file: 'docs/lint.md', markdown: await lintPage(root) },
    { file: 'docs/mcp.md', markdown: await mcpPage(root) },
    ...(await commandPages(root)),
    ...(await openapiDocuments(root)),
  ];
}

/** @param {string} root */
async function claimMachine(root) {
  const source = 'src/mock-service/claim-machine/index.ts';
  const { EVENTS, MATRIX, STATES } =
    /** @type {typeof import('../../src/mock-service/claim-machine/index.ts')} */ (
      await importSource(root, source)
    );
  const { SPECIFICATION_STATES, specificationState } =
    /** @type {typeof import('../../src/protocol/states.ts')} */ (
      await importSource(root, 'src/protocol/states.ts')
    );
  return page(
    'The claim machine',
    source,
    'What an event does to a registration, by the state that the registration is in ([wire contract §8](wire-contract.md#section-8)).',
    [
      table(
        ['event', ...STATES],
        EVENTS.map((event) => [event, ...STATES.map((state) => MATRIX[event][state].description)]),
      ),
      'What the specification calls each state:',
      table(
        ['state', 'in the specification'],
        STATES.map((state) => [
          `\`${state}\``,
          SPECIFICATION_STATES[state] ?? 'not shown: the outer claim window has expired',
        ]),
      ),
      `A registration by ID-JAG (\`identity_assertion\`) that is \`claimed\` is "${specificationState('claimed', 'identity_assertion')}" there.`,
    ].join('\n\n'),
  );
}

/** What each step of wire contract §3 is called here, in its order. */
const ORDER_OF_ID_JAG_CHECKS = {
  '`aud`, times': [
    'audience',
    'client',
    'expiry',
    'issuance',
    'not-before',
    'lifetime',
    'resource',
  ],
  'verified email or phone': ['contact'],
  '`auth_time`': ['sign-in', 'scope'],
};

/** @param {string} root */
async function checks(root) {
  const service = 'src/mock-service/decisions.ts';
  const provider = 'src/mock-provider/decisions.ts';
  const { DECISIONS: ofService } =
    /** @type {typeof import('../../src/mock-service/decisions.ts')} */ (
      await importSource(root, service)
    );
  const { DECISIONS: ofProvider } =
    /** @type {typeof import('../../src/mock-provider/decisions.ts')} */ (
      await importSource(root, provider)
    );
  const { HEADER_CHECKS } =
    /** @type {typeof import('../../src/mock-service/trust/jwt-verifier.ts')} */ (
      await importSource(root, 'src/mock-service/trust/jwt-verifier.ts')
    );
  /** @typedef {readonly { name: string, description: string }[]} Checks */
  const list = (/** @type {Checks} */ all) =>
    table(
      ['', 'check', 'passes when'],
      all.map(({ name, description }, at) => [String(at + 1), `\`${name}\``, description]),
    );
  const stepOf = (/** @type {string} */ name) => {
    const step = Object.entries(ORDER_OF_ID_JAG_CHECKS).find(([, names]) => names.includes(name));
    if (step === undefined) throw new Error(`The check ${name} has no place in wire contract §3.`);
    return step[0];
  };
  const idJag = table(
    ['', 'check', 'passes when', 'step of [wire contract §3](wire-contract.md#section-3)'],
    ofService.idJagChecks.map(({ name, description }, at) => [
      String(at + 1),
      `\`${name}\``,
      description,
      stepOf(name),
    ]),
  );
  return page(
    'Checks',
    `${service}\` and \`${provider}`,
    'What the mocks check, in this order; the first check that fails is the answer. Clocks may differ by the clock skew. The lists with a name are members of `decisions`: a fault can leave out, replace or move any of their checks ([own-faults.md](own-faults.md)).',
    [
      '## Service: every JWT of a provider',
      'The `headerChecks` of the part `verifier`.',
      list(HEADER_CHECKS),
      'Then its issuer is looked for in the trust list, and its signature is verified with a key of that issuer.',
      '## Service: an ID-JAG (`idJagChecks`)',
      'Shape and header, issuer and signature come first (above); `jti` comes last, in the transaction that records it.',
      idJag,
      '## Service: a security event (`eventChecks`)',
      list(ofService.eventChecks),
      '## Provider: the client (`clientChecks`)',
      list(ofProvider.clientChecks),
      '## Provider: a token exchange (`exchangeChecks`)',
      list(ofProvider.exchangeChecks),
      '## Provider: the ID token in it (`idTokenChecks`)',
      'First its signature is verified with a key of this provider, by the algorithm of the key; a header with `crit` or `b64` is refused (RFC 7515 §4.1.11, RFC 7797). The service checks its own identity assertions in the same way.',
      list(ofProvider.idTokenChecks),
    ].join('\n\n'),
  );
}

/** @param {string} root */
async function exitCodes(root) {
  const source = 'src/cli/shell/exit-codes.ts';
  const { EXEC_EXIT_CODES, EXIT_CODES } =
    /** @type {typeof import('../../src/cli/shell/exit-codes.ts')} */ (
      await importSource(root, source)
    );
  const rows = Object.values({ ...EXIT_CODES, ...EXEC_EXIT_CODES })
    .sort((a, b) => a.code - b.code)
    .map(({ code, meaning }) => [String(code), meaning]);
  return page(
    'Exit codes',
    source,
    'What the number means that `agent-auth` exits with.',
    table(['exit', 'meaning'], rows),
  );
}

/** @param {string} root */
async function faults(root) {
  const service = 'src/mock-service/faults/index.ts';
  const provider = 'src/mock-provider/faults/index.ts';
  const { absentIn, SERVICE_FAULT_GROUPS } =
    /** @type {typeof import('../../src/mock-service/faults/index.ts')} */ (
      await importSource(root, service)
    );
  const { PROVIDER_FAULT_GROUPS } =
    /** @type {typeof import('../../src/mock-provider/faults/index.ts')} */ (
      await importSource(root, provider)
    );
  const { DIALECT_IDS } = /** @type {typeof import('../../src/protocol/index.ts')} */ (
    await importSource(root, 'src/protocol/index.ts')
  );
  const absent = DIALECT_IDS.map((name) => /** @type {const} */ ([name, absentIn(name)]));
  /** @param {string} fault */
  const dialectsOf = (fault) => {
    const lacking = absent.filter(([, faults]) => faults.has(fault)).map(([name]) => name);
    return lacking.length === 0 ? 'all' : `not ${lacking.join(', ')}`;
  };
  /** @typedef {Record<string, { description: string, breaks: readonly string[] }>} Group */
  const sections = (/** @type {string} */ mock, /** @type {Record<string, Group>} */ groups) =>
    Object.entries(groups).map(([group, members]) => {
      const rows = Object.entries(members).map(([name, { breaks, description }]) => [
        `\`${name}\``,
        description,
        breaks.join(', '),
        ...(mock === 'Service' ? [dialectsOf(name)] : []),
      ]);
      const heads = ['fault', `the mock ${mock.toLowerCase()}`, 'breaks'];
      const more = mock === 'Service' ? ['dialects'] : [];
      return `## ${mock}: ${group}\n\n${table([...heads, ...more], rows)}`;
    });
  return page(
    'Faults',
    `${service}\` and \`${provider}`,
    'What a mock does wrong when it is told to: `--fault NAME`, `agent-auth mock fault NAME`, `POST /__mock/faults`, `controls.setFaults`, or the option `faults`, which takes [faults of your own](own-faults.md) as well. The last column names the requirements that a fault breaks: [conformance-checks.md](conformance-checks.md) has them with their checks. Not every [dialect](mocks.md#what-it-speaks) has what a fault is wrong about: there it is refused, with the reason.',
    [
      ...sections('Service', SERVICE_FAULT_GROUPS),
      ...sections('Provider', PROVIDER_FAULT_GROUPS),
    ].join('\n\n'),
  );
}

/** @param {string} root */
async function wireCodes(root) {
  const source = 'src/protocol/codes.ts';
  const { AGENT_MOVES, WIRE_CODES } = /** @type {typeof import('../../src/protocol/codes.ts')} */ (
    await importSource(root, source)
  );
  const sections = Object.entries(WIRE_CODES).map(([surface, codes]) => {
    /** @type {[string, import('../../src/protocol/codes.ts').WireCode][]} */
    const entries = Object.entries(codes);
    const rows = entries.map(([code, { status, description, next }]) => [
      `\`${code}\``,
      String(status),
      description,
      AGENT_MOVES[next],
    ]);
    return `## ${surface}\n\n${table(['error', 'status', 'says', 'the agent then'], rows)}`;
  });
  return page(
    'Wire codes',
    source,
    'Every error code, by the place where it appears. What calls for them is in the [wire contract](wire-contract.md).',
    sections.join('\n\n'),
  );
}
