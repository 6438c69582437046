import { importSource } from './import-source.js';
import { page, table } from './markdown.js';
import { readAttacks } from './read-attacks.js';

/** @typedef {typeof import('../../src/conformance/index.ts')} Conformance */

/**
 * Each attack with its variants, and the checks that perform them.
 *
 * @param {string} root of the project
 */
export async function attacksPage(root) {
  const { readRequirements } = /** @type {Conformance} */ (
    await importSource(root, 'src/conformance/index.ts')
  );
  const attacks = Object.entries(readAttacks(root));
  const requirements = readRequirements();
  const variants = attacks.flatMap(([, all]) => all);
  const performed = variants.filter(({ checks }) => checks !== undefined).length;
  const bare = attacks.filter(([, all]) => all.every(({ checks }) => checks === undefined));
  const rows = attacks.flatMap(([id, all]) =>
    all.map(({ tried, checks = [], unseen }, at) => [
      at === 0 ? `<a id="${id.toLowerCase()}"></a>[${id}](attacks.md#${id.toLowerCase()})` : '',
      tried,
      unseen === undefined ? checks.map((check) => `\`${check}\``).join(' ') : `*none: ${unseen}*`,
    ]),
  );
  const others = attacks.map(([id, all]) => {
    const named = new Set(all.flatMap(({ checks = [] }) => checks));
    const cited = requirements
      .filter(({ sources }) => sources.includes(`attack ${id}`))
      .flatMap(({ checks = [] }) => checks)
      .filter((check) => !named.has(check));
    return [id, [...new Set(cited)].map((check) => `\`${check}\``).join(' ')];
  });
  return page(
    'Attacks and their checks',
    'fixtures/attack-variants.yaml` and `fixtures/requirements',
    'What each attack is, and what must hold: [attacks.md](attacks.md).',
    [
      `${attacks.length} attacks in ${variants.length} variants; ${performed} of them are performed. Without any check: ${bare.map(([id]) => id).join(', ')}, each with its reason.`,
      table(['attack', 'variant', 'performed by'], rows),
      'Further checks that cite an attack:',
      table(
        ['attack', 'checks'],
        others.filter(([, checks]) => checks !== ''),
      ),
    ].join('\n\n'),
  );
}
