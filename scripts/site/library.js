/** The reference of the library: each exported name with its description and declaration, of what the build declares. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-5.9';
import { table } from '../docs/markdown.js';
import { anchorOf, ROOT } from './places.js';

/**
 * @typedef {object} Entry an exported name
 * @property {string} name with that of its namespace, if it stands in one
 * @property {ts.Symbol} symbol
 *
 * @typedef {object} Door an import of the package
 * @property {string} specifier
 * @property {string} page
 * @property {Entry[]} entries
 */

/** @returns {import('./pages.js').SitePage[]} a page an import, and their index */
export function libraryPages() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  /** @type {[string, string][]} */
  const declared = Object.entries(exports).flatMap(([path, { types }]) =>
    types === undefined ? [] : [[path, join(ROOT, types)]],
  );
  const program = ts.createProgram(
    declared.map(([, file]) => file),
    { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true },
  );
  const checker = program.getTypeChecker();
  const doors = declared.map(([path, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing: npm run build`);
    return {
      specifier: path.replace(/^\./, 'agent-auth'),
      page: path === '.' ? 'agent-auth' : path.slice(2),
      entries: entriesOf(checker, module),
    };
  });
  // What several imports have is described at the most special one: the first one has all of the agent's.
  /** @type {Map<ts.Symbol, { name: string, page: string }>} */
  const described = new Map();
  for (const { page, entries } of [...doors.slice(1), ...doors.slice(0, 1)]) {
    for (const { name, symbol } of entries) {
      if (!described.has(symbol)) described.set(symbol, { name, page });
    }
  }
  const rows = doors.map(({ specifier, page, entries }) => [
    `[\`${specifier}\`](./${page}.md)`,
    String(entries.length),
  ]);
  return [
    {
      page: 'library/index.md',
      markdown: `# The library, name by name

Each import of the package, with every name that it has. How to use them: [the library](/library.md), [test kits](/test-kits.md), [mocks](/mocks.md).

${table(['import', 'names'], rows)}
`,
    },
    ...doors.map((door) => doorPage(door, described, checker)),
  ];
}

/** @param {ts.TypeChecker} checker @param {ts.Symbol} module @returns {Entry[]} by name; a namespace with what it holds */
function entriesOf(checker, module, prefix = '') {
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({
      name: prefix + symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .flatMap((entry) =>
      entry.symbol.flags & ts.SymbolFlags.ValueModule
        ? entriesOf(checker, entry.symbol, `${entry.name}.`)
        : [entry],
    );
}

/**
 * @param {Door} door
 * @param {ReadonlyMap<ts.Symbol, { name: string, page: string }>} described
 * @param {ts.TypeChecker} checker
 * @returns {import('./pages.js').SitePage}
 */
function doorPage({ specifier, page, entries }, described, checker) {
  const own = entries
    .filter(({ symbol }) => described.get(symbol)?.page === page)
    .sort((a, b) => rank(a.symbol) - rank(b.symbol));
  const others = entries.filter((entry) => !own.includes(entry));
  const link = (/** @type {{ name: string, page: string }} */ to) =>
    `[\`${to.name}\`](${to.page === page ? '' : `./${to.page}.md`}#${anchorOf(to.name)})`;
  const byName = new Map([...described.values()].map((to) => [to.name, to]));
  /** @param {string} comment */
  const prose = (comment) =>
    comment
      .replace(/\{@link ([\w.]+)[^}]*\}/g, (_all, name) => {
        const to = byName.get(name);
        return to === undefined ? `\`${name}\`` : link(to);
      })
      .split(/(`[^`]*`)/)
      .map((part) => (part.startsWith('`') ? part : part.replace(/[<{]/g, '\\$&')))
      .join('');
  const sections = own.map(({ name, symbol }) => {
    const tags = symbol.getJsDocTags(checker).filter(({ text }) => text !== undefined);
    return [
      `## ${name}`,
      prose(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
      ...tags.map((tag) => `\`@${tag.name}\` ${prose(ts.displayPartsToString(tag.text))}`),
      `\`\`\`ts\n${(symbol.declarations ?? []).map(declaration).join('\n')}\n\`\`\``,
    ].join('\n\n');
  });
  const elsewhere =
    others.length === 0
      ? []
      : [
          `## Described elsewhere\n\n${others
            .map(({ name, symbol }) => link(described.get(symbol) ?? { name, page }))
            .join(', ')}.`,
        ];
  return {
    page: `library/${page}.md`,
    markdown: `# ${specifier}\n\nHow to use it: [the library](/library.md). \`import { … } from '${specifier}'\` has:\n\n${[...sections, ...elsewhere].join('\n\n')}\n`,
  };
}

/** What one calls comes first, then what one reads, then what is a type alone. @param {ts.Symbol} symbol */
function rank({ flags }) {
  if (flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function)) return 0;
  return flags & ts.SymbolFlags.Variable ? 1 : 2;
}

/** Lines of a constant's type that are shown: nobody wrote it, and an editor has it whole. */
const SHOWN = 20;

/** A declaration without the comment before it, which is its description. @param {ts.Declaration} node */
function declaration(node) {
  const isConstant = ts.isVariableDeclaration(node);
  const text = (isConstant ? node.parent.parent : node)
    .getText()
    .replace(/^export (declare )?/, '')
    .replace(/\n {4}#private;/, '');
  const lines = text.split('\n');
  return isConstant && lines.length > SHOWN ? [...lines.slice(0, SHOWN), '// …'].join('\n') : text;
}
