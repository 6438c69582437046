import { importSource } from './import-source.js';
import { page, table } from './markdown.js';

/**
 * What is spoken, how it is told apart and what is not possible there, from the adapters themselves;
 * and the quirks, from the mock service.
 *
 * @param {string} root
 */
export async function dialectsPage(root) {
  const source = 'src/agent/dialects/about.ts';
  const { DIALECT_ABOUT, DIALECT_FLOWS } =
    /** @type {typeof import('../../src/agent/dialects/about.ts')} */ (
      await importSource(root, source)
    );
  const { QUIRKS } =
    /** @type {typeof import('../../src/mock-service/dialects/quirks/index.ts')} */ (
      await importSource(root, 'src/mock-service/dialects/quirks/index.ts')
    );
  const all = Object.entries(DIALECT_ABOUT);
  const families = all.map(([name, about]) =>
    [
      `## ${name}`,
      table(
        ['', ''],
        [
          ['spoken by', about.spokenBy],
          ['discovery', about.discovery],
          ['registration', about.registration],
          ['ceremony', about.ceremony],
          ['afterwards', about.afterwards],
          ['told apart by', about.toldApartBy],
        ],
      ),
      ...notPossible(about.notPossible),
    ].join('\n\n'),
  );
  const matrix = table(
    ['', ...all.map(([name]) => `\`${name}\``)],
    DIALECT_FLOWS.map((flow) => [
      flow,
      ...all.map(([, { notPossible: missing }]) => (missing[flow] === undefined ? 'yes' : '–')),
    ]),
  );
  return page(
    'Dialects',
    source,
    'Services that publish this kind of registration speak one of three families. The agent is given the same commands for each; the mock service speaks each of them.',
    [
      'Which one a service speaks is told by its documents and then by its answers, never by a version number: two versions call themselves the same. Discovery yields candidates, the first answer to a registration settles the family, and a later answer in another one corrects it. `agent-auth discover URL` says what was recognised and by what; `--dialect NAME` answers where two are as likely.',
      ...families,
      '## What is possible where',
      'Each cell is a test of the agent against the mock; most have a [golden transcript](schemas.md).',
      matrix,
      '## Quirks',
      'Published services differ from their family, each in its own way. The agent reads these differences wherever it meets them, whatever the family; `agent-auth mock service --quirk NAME` ([mocks.md](mocks.md#what-it-speaks)) has the mock service differ so. Each goes through six flows of a claim in each of its dialects, in the same tests. A member that a service demands has to be told to the agent with `--member`.',
      table(
        ['quirk', ...all.map(([name]) => `\`${name}\``), 'what a service that has it does'],
        Object.entries(QUIRKS).map(([name, { description, fits }]) => [
          `\`${name}\``,
          ...all.map(([dialect]) => (fits.some((one) => one === dialect) ? 'yes' : '–')),
          description,
        ]),
      ),
    ].join('\n\n'),
  );
}

/** @param {Readonly<Partial<Record<string, string>>>} missing */
function notPossible(missing) {
  const rows = Object.entries(missing).map(([flow, why]) => [flow, why ?? '']);
  return rows.length === 0 ? [] : ['Not possible there:', table(['flow', 'why'], rows)];
}
