import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';

/**
 * A syntax node as this reader sees it.
 *
 * @typedef {{ type: string, start: number, end: number, [member: string]: unknown }} Node
 */

/**
 * A module without its comments.
 *
 * @typedef {object} Module
 * @property {string} text
 * @property {Node} program
 * @property {Map<string, string>} declared name → source text: top-level declarations, and methods of classes
 * @property {string[]} imported relative specifiers
 */

const TESTS = new Set(['it', 'test', 'describe']);

/** Beside the tests' own helpers, the one module whose names a test may use for a wire value. */
const CONSTANTS = 'src/protocol/constants.ts';

/** How far a call is followed: a test, the helper that it calls, and the helper of that one. */
const DEPTH = 3;

/**
 * Reads what tests are made of. A test's source is the text of its call, and of the helpers and
 * constants that it names, without comments.
 */
export class TestSources {
  #root;
  /** @type {Map<string, Module>} */
  #modules = new Map();

  /** @param {string} root of the project */
  constructor(root) {
    this.#root = root;
  }

  /**
   * The sources of a file's tests by the row that they name in their title. Where a table names the row,
   * it is the element of the table, and the test that runs it.
   *
   * @param {string} file from the project's root
   * @returns {Map<string, string[]>} row id → source texts
   */
  byRow(file) {
    const module = this.#module(file);
    /** @type {Map<string, string[]>} */
    const sources = new Map();
    walk(module.program, (node) => {
      if (node.type !== 'CallExpression' || !isTest(nodeOf(node, 'callee'))) return;
      for (const [id, own] of ownSources(node, module.text)) {
        sources.set(id, [...(sources.get(id) ?? []), this.#withHelpers(file, own)]);
      }
    });
    return sources;
  }

  /** @param {string} file @param {string} own @returns {string} */
  #withHelpers(file, own) {
    const files = this.#helpersOf(file);
    const seen = new Set();
    let texts = [own];
    const all = [own];
    for (let depth = 1; depth < DEPTH && texts.length > 0; depth += 1) {
      const names = new Set(texts.flatMap((text) => text.match(/[\w$]+/g) ?? []));
      texts = [];
      for (const [path, { declared }] of files) {
        for (const [name, text] of declared) {
          const key = `${path}#${name}`;
          if (!names.has(name) || seen.has(key)) continue;
          seen.add(key);
          texts.push(text);
        }
      }
      all.push(...texts);
    }
    return all.join('\n');
  }

  /** The file, what it imports of `test/`, and the constants. @param {string} file @returns {Map<string, Module>} */
  #helpersOf(file) {
    const files = new Map([[file, this.#module(file)]]);
    for (const [path, { imported }] of files) {
      for (const specifier of imported) {
        const target = relative(this.#root, join(this.#root, dirname(path), specifier));
        const name = target.split(sep).join('/');
        const isHelper = name.startsWith('test/') && name.endsWith('.ts');
        if (isHelper && existsSync(join(this.#root, name))) files.set(name, this.#module(name));
      }
    }
    if (existsSync(join(this.#root, CONSTANTS))) files.set(CONSTANTS, this.#module(CONSTANTS));
    return files;
  }

  /** @param {string} file @returns {Module} */
  #module(file) {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const module = readModule(join(this.#root, file));
    this.#modules.set(file, module);
    return module;
  }
}

/**
 * The name of the declaration at the top of a module that holds a position: `render`, `Outbox.send`.
 *
 * @param {string} path
 * @param {number} position in the text of the file
 * @returns {string | undefined}
 */
export function symbolAt(path, position) {
  const { program } = parse(path, readFileSync(path, 'utf8'));
  for (const node of statements(program)) {
    if (position < node.start || position >= node.end) continue;
    const declared = names(node);
    for (const { name, at } of declared) {
      // The one name of `const x = …` stands for its whole statement.
      const whole = declared.length === 1 ? node : at;
      if (position < whole.start || position >= whole.end) continue;
      const method = methods(at).find((each) => position >= each.start && position < each.end);
      const key = method && nodeOf(method, 'key')?.['name'];
      return key ? `${name}.${key}` : name;
    }
  }
  return undefined;
}

/** The names that a module declares at its top. @param {string} path */
export function symbolsIn(path) {
  const { program } = parse(path, readFileSync(path, 'utf8'));
  return new Set(statements(program).flatMap((node) => names(node).map(({ name }) => name)));
}

/** @param {string} path @returns {Module} */
function readModule(path) {
  const raw = readFileSync(path, 'utf8');
  const { comments, program } = parse(path, raw);
  const letters = raw.split('');
  for (const { start, end } of comments) letters.fill(' ', start, end);
  const text = letters.join('');
  /** @type {Map<string, string>} */
  const declared = new Map();
  /** @type {string[]} */
  const imported = [];
  for (const node of statements(program)) {
    const specifier = nodeOf(node, 'source')?.['value'];
    if (typeof specifier === 'string' && specifier.startsWith('.')) imported.push(specifier);
    for (const { name, at } of names(node)) {
      const inside = methods(at);
      for (const method of inside) {
        const key = nodeOf(method, 'key')?.['name'];
        if (key) declared.set(String(key), text.slice(method.start, method.end));
      }
      if (inside.length === 0) declared.set(name, text.slice(at.start, at.end));
    }
  }
  return { text, program, declared, imported };
}

/** @param {string} path @param {string} text */
function parse(path, text) {
  const { comments, errors, program } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return { comments, program: /** @type {Node} */ (/** @type {unknown} */ (program)) };
}

/**
 * @param {Node} call of `it(title, …)`, `it.each(table)(title, …)`, or the same of `describe`
 * @param {string} text
 * @returns {[id: string, source: string][]}
 */
function ownSources(call, text) {
  /** @param {Node} node */
  const source = (node) => text.slice(node.start, node.end);
  const [title, ...rest] = nodesOf(call, 'arguments');
  // The table of `it.each(table)` is no title.
  if (title?.type !== 'Literal' && title?.type !== 'TemplateLiteral') return [];
  const callee = nodeOf(call, 'callee');
  const [table] = callee?.type === 'CallExpression' ? nodesOf(callee, 'arguments') : [];
  /** @type {[string, string][]} */
  const found = idsIn(source(title)).map((id) => [id, source(call)]);
  for (const element of table === undefined ? [] : nodesOf(table, 'elements')) {
    const body = [source(element), ...rest.map(source)].join('\n');
    for (const id of idsIn(source(element))) found.push([id, body]);
  }
  return found;
}

/** `it`, `it.each(…)`, `it.skipIf(…)`, `describe`. @param {Node | undefined} callee @returns {boolean} */
function isTest(callee) {
  if (callee?.type === 'Identifier') return TESTS.has(String(callee['name']));
  if (callee?.type === 'MemberExpression') return isTest(nodeOf(callee, 'object'));
  return callee?.type === 'CallExpression' && isTest(nodeOf(callee, 'callee'));
}

/** @param {string} text */
function idsIn(text) {
  return [...new Set(text.match(/\b(AR|SD)-[A-Z]+-\d+\b/g) ?? [])];
}

/** Those at the top of a module, without their `export`. @param {Node} program */
function statements(program) {
  return nodesOf(program, 'body').map((node) =>
    node.type === 'ExportNamedDeclaration' ? (nodeOf(node, 'declaration') ?? node) : node,
  );
}

/** What a statement declares, and where. @param {Node} node @returns {{ name: string, at: Node }[]} */
function names(node) {
  const declarations = nodesOf(node, 'declarations');
  return (declarations.length > 0 ? declarations : [node]).flatMap((at) => {
    const name = nodeOf(at, 'id')?.['name'];
    return typeof name === 'string' ? [{ name, at }] : [];
  });
}

/** Of a class. @param {Node} node */
function methods(node) {
  return nodesOf(nodeOf(node, 'body'), 'body').filter(({ type }) => type === 'MethodDefinition');
}

/** @param {Node | undefined} node @param {string} member @returns {Node | undefined} */
function nodeOf(node, member) {
  return /** @type {Node | undefined} */ (node?.[member] ?? undefined);
}

/** @param {Node | undefined} node @param {string} member @returns {Node[]} */
function nodesOf(node, member) {
  const nodes = node?.[member];
  return Array.isArray(nodes) ? nodes.filter((each) => each?.type !== undefined) : [];
}

/** @param {Node} node @param {(node: Node) => void} visit */
function walk(node, visit) {
  visit(node);
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) {
      if (child && typeof child === 'object' && typeof child.type === 'string') walk(child, visit);
    }
  }
}
