import { importSource } from './import-source.js';
import { page, table } from './markdown.js';

/**
 * @typedef {object} Page
 * @property {string} file from the project's root
 * @property {string} markdown
 */

/**
 * The pages in git that mirror code: each is printed from the table that the program itself uses.
 *
 * @param {string} root of the project
 * @returns {Promise<Page[]>}
 */
export async function pages(root) {
  return [
    { file: 'docs/claim-machine.md', markdown: await claimMachine(root) },
    { file: 'docs/exit-codes.md', markdown: await exitCodes(root) },
    { file: 'docs/wire-codes.md', markdown: await wireCodes(root) },
  ];
}

/** @param {string} root */
async function claimMachine(root) {
  const source = 'src/mock-service/claim-machine/matrix.ts';
  const { MATRIX } =
    /** @type {typeof import('../../src/mock-service/claim-machine/matrix.ts')} */ (
      await importSource(root, source)
    );
  const { EVENTS } =
    /** @type {typeof import('../../src/mock-service/claim-machine/events.ts')} */ (
      await importSource(root, 'src/mock-service/claim-machine/events.ts')
    );
  const { SPECIFICATION_STATES, specificationState, STATES } =
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
