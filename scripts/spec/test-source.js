import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';

/**
 * A syntax node as this reader sees it.
 *
 * @typedef {{ type: string, start: number, end: number, [member: string]: unknown }} Node
 */

/**
 * What a test is made of, without comments, titles, and what it expects not to be.
 *
 * @typedef {object} TestSource
 * @property {string} text of its call, of the helpers and of the constants that it names
 * @property {string} asserted of that, what stands in an `expect(…)` or in its table, and the constants named there
 */

/**
 * A module without its comments, the titles of its tests, and its `expect(…).not.…`.
 *
 * @typedef {object} Module
 * @property {string} raw
 * @property {string} text of the same length
 * @property {Node} program
 * @property {Map<string, string>} declared name → source text: top-level declarations, and methods of classes
 * @property {string[]} imported relative specifiers
 */

const TESTS = new Set(['it', 'test', 'describe']);

/** Beside the tests' own helpers, the one module whose names a test may use for a wire value. */
const CONSTANTS = 'src/protocol/constants.ts';

/** How far a call is followed: a test, the helper that it calls, and the helper of that one. */
const DEPTH = 3;

/** Reads what tests are made of. */
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
   * @returns {Map<string, TestSource[]>} by row id
   */
  byRow(file) {
    const module = this.#module(file);
    /** @type {Map<string, TestSource[]>} */
    const sources = new Map();
    walk(module.program, (node) => {
      if (node.type !== 'CallExpression' || !isTest(nodeOf(node, 'callee'))) return;
      for (const [id, nodes] of partsByRow(node, module.raw)) {
        const text = nodes.map((each) => module.text.slice(each.start, each.end)).join('\n');
        const asserted = assertedIn(nodes, module.text);
        const source = {
          text: this.#withHelpers(file, text),
          asserted: this.#withHelpers(file, asserted),
        };
        sources.set(id, [...(sources.get(id) ?? []), source]);
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
  for (const { start, end } of [...comments, ...unasserted(program)]) letters.fill(' ', start, end);
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
  return { raw, text, program, declared, imported };
}

/** @param {string} path @param {string} text */
function parse(path, text) {
  const { comments, errors, program } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return { comments, program: /** @type {Node} */ (/** @type {unknown} */ (program)) };
}

/**
 * The parts of a test, by the row that it names: its call; where its table names the row, the element and the body.
 *
 * @param {Node} call of `it(title, …)`, `it.each(table)(title, …)`, or the same of `describe`
 * @param {string} raw
 * @returns {[id: string, parts: Node[]][]}
 */
function partsByRow(call, raw) {
  const title = titleOf(call);
  if (title === undefined) return [];
  const [, ...rest] = nodesOf(call, 'arguments');
  /** @param {Node} node */
  const ids = (node) => idsIn(raw.slice(node.start, node.end));
  /** @type {[string, Node[]][]} */
  const found = ids(title).map((id) => [id, [call]]);
  for (const element of tableOf(call)) {
    for (const id of ids(element)) found.push([id, [element, ...rest]]);
  }
  return found;
}

/** The table of `it.each(table)` is no title. @param {Node} call */
function titleOf(call) {
  const [title] = nodesOf(call, 'arguments');
  return title?.type === 'Literal' || title?.type === 'TemplateLiteral' ? title : undefined;
}

/** The elements of the table of `it.each(table)(title, …)`. @param {Node} call */
function tableOf(call) {
  const callee = nodeOf(call, 'callee');
  const [table] = callee?.type === 'CallExpression' ? nodesOf(callee, 'arguments') : [];
  return nodesOf(table, 'elements');
}

/**
 * What asserts nothing: the titles of tests, and what is expected not to be.
 *
 * @param {Node} program
 */
function unasserted(program) {
  /** @type {Node[]} */
  const places = [];
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return;
    if (isTest(nodeOf(node, 'callee'))) {
      const title = titleOf(node);
      if (title !== undefined) places.push(title);
    } else if (isExpectation(node) && isNegated(node)) places.push(node);
  });
  return places;
}

/**
 * The texts of `expect(…)` chains and of tables, and of what is declared under a name that stands there.
 *
 * @param {Node[]} parts
 * @param {string} text
 */
function assertedIn(parts, text) {
  /** @param {Node} node */
  const source = (node) => text.slice(node.start, node.end);
  /** @type {Map<string, string>} */
  const declared = new Map();
  /** @type {string[]} */
  const texts = [];
  for (const part of parts) {
    if (part.type !== 'CallExpression' && !/Function/.test(part.type)) texts.push(source(part));
    walk(part, (node) => {
      if (node.type === 'CallExpression' && isExpectation(node)) texts.push(source(node));
      if (node.type === 'CallExpression') texts.push(...tableOf(node).map(source));
      const name = node.type === 'VariableDeclarator' ? nodeOf(node, 'id')?.['name'] : undefined;
      if (typeof name === 'string') declared.set(name, source(node));
    });
  }
  const all = texts.join('\n');
  const named = new Set(all.match(/[\w$]+/g) ?? []);
  return [all, ...[...declared].flatMap(([name, own]) => (named.has(name) ? [own] : []))].join(
    '\n',
  );
}

/** `expect(…).…(…)`. @param {Node | undefined} node @returns {boolean} */
function isExpectation(node) {
  if (node?.type === 'CallExpression') {
    const callee = nodeOf(node, 'callee');
    return callee?.['name'] === 'expect' || isExpectation(callee);
  }
  return node?.type === 'MemberExpression' && isExpectation(nodeOf(node, 'object'));
}

/** `expect(…).not.…(…)`. @param {Node | undefined} node @returns {boolean} */
function isNegated(node) {
  if (node?.type === 'CallExpression') return isNegated(nodeOf(node, 'callee'));
  if (node?.type !== 'MemberExpression') return false;
  return nodeOf(node, 'property')?.['name'] === 'not' || isNegated(nodeOf(node, 'object'));
}

/** `it`, `it.each(…)`, `it.skipIf(…)`, `describe`; not what is skipped. @param {Node | undefined} callee @returns {boolean} */
function isTest(callee) {
  if (callee?.type === 'Identifier') return TESTS.has(String(callee['name']));
  if (callee?.type === 'MemberExpression') {
    const property = String(nodeOf(callee, 'property')?.['name']);
    return !/^(skip|todo)$/.test(property) && isTest(nodeOf(callee, 'object'));
  }
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
