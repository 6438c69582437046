import { conformancePage } from './conformance-page.js';
import { importSource } from './import-source.js';
import { page, table } from './markdown.js';

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
    { file: 'docs/faults.md', markdown: await faults(root) },
    { file: 'docs/exit-codes.md', markdown: await exitCodes(root) },
    { file: 'docs/wire-codes.md', markdown: await wireCodes(root) },
    { file: 'docs/conformance-checks.md', markdown: await conformancePage(root) },
  ];
}

/** @param {string} root */
async function claimMachine(root) {
  const source = 'src/mock-service/claim-machine/index.ts';
  const { EVENTS, MATRIX, STATES } =
    /** @type {typeof import('../../src/mock-service/claim-machine/index.ts')} */ (
      await importSource(root, source)
    );
  return page(
    'The claim machine',
    source,
    'What an event does to a registration, by the state that the registration is in.',
    table(
      ['event', ...STATES],
      EVENTS.map((event) => [event, ...STATES.map((state) => MATRIX[event][state].says)]),
    ),
  );
}

/** @param {string} root */
async function exitCodes(root) {
  const source = 'src/cli/exit-codes.ts';
  const { EXEC_EXIT_CODES, EXIT_CODES } =
    /** @type {typeof import('../../src/cli/exit-codes.ts')} */ (await importSource(root, source));
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
  const { SERVICE_FAULTS } =
    /** @type {typeof import('../../src/mock-service/faults/index.ts')} */ (
      await importSource(root, service)
    );
  const { PROVIDER_FAULTS } =
    /** @type {typeof import('../../src/mock-provider/faults/index.ts')} */ (
      await importSource(root, provider)
    );
  const rows = (/** @type {Record<string, string>} */ of) =>
    Object.entries(of).map(([name, says]) => [`\`${name}\``, says]);
  return page(
    'Faults',
    `${service}\` and \`${provider}`,
    'What a mock does wrong when it is told to: `--fault NAME`, `agent-auth mock fault NAME`, `POST /__mock/faults`, or `controls.setFaults`.',
    [
      `## Service\n\n${table(['fault', 'the mock service'], rows(SERVICE_FAULTS))}`,
      `## Provider\n\n${table(['fault', 'the mock provider'], rows(PROVIDER_FAULTS))}`,
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
    'Every error code, by the place where it appears.',
    sections.join('\n\n'),
  );
}
