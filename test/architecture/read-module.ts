import { parseSync } from 'rolldown/utils';

export interface SourceFile {
  /** From the project's root, with forward slashes: `src/agent/index.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface ModuleImport {
  /** `undefined` when the specifier is computed, so that what is loaded cannot be known. */
  readonly specifier: string | undefined;
  readonly typeOnly: boolean;
  /** Names as the other module exports them; `*` for a namespace, `export *` or `import()`. */
  readonly names: readonly string[];
  readonly line: number;
}

export interface ModuleFacts {
  readonly path: string;
  readonly lineCount: number;
  readonly imports: readonly ModuleImport[];
  /** Places where the module reaches for the machine: `Date.now`, `process`, … */
  readonly ambient: readonly { readonly name: string; readonly line: number }[];
  readonly defaultExportLine: number | undefined;
}

/** A syntax node as this reader sees it: a type, a place, and members. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

/** Globals whose every use is an effect, and members of globals that are one. */
const AMBIENT_GLOBALS = new Set([
  'process',
  'console',
  'globalThis',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'performance',
]);
const AMBIENT_MEMBERS = new Set([
  'Date.now',
  'Math.random',
  'AbortSignal.timeout',
  'crypto.getRandomValues',
  'crypto.randomUUID',
]);

/** Several rules ask about each. */
const known = new WeakMap<SourceFile, ModuleFacts>();

/** What a module imports and which effects it has, from its syntax alone. Throws on a syntax error. */
export function readModule(file: SourceFile): ModuleFacts {
  const facts = known.get(file) ?? readText(file);
  known.set(file, facts);
  return facts;
}

function readText({ path, text }: SourceFile): ModuleFacts {
  const { program, errors } = parseSync(path, text);
  const [problem] = errors;
  if (problem !== undefined) throw new SyntaxError(`${path}: ${problem.message}`);

  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const imports: ModuleImport[] = [];
  const ambient: { name: string; line: number }[] = [];
  const declared = new Set<string>();
  const references: Node[] = [];
  let defaultExportLine: number | undefined;

  const visit = (node: Node): void => {
    const found = importOf(node);
    if (found !== undefined) imports.push({ ...found, line: lineAt(node.start) });
    if (isDefaultExport(node)) defaultExportLine = lineAt(node.start);
    if (node.type === 'Identifier') references.push(node);
    for (const pattern of bindingsOf(node)) collectNames(pattern, declared);
    const effect = effectOf(node);
    if (effect !== undefined) ambient.push({ name: effect, line: lineAt(node.start) });
    for (const child of valueChildren(node)) visit(child);
  };
  visit(program as unknown as Node);

  // A module that declares the name itself (a `fetch` parameter) means its own.
  for (const node of references) {
    const name = String(node['name']);
    if (AMBIENT_GLOBALS.has(name) && !declared.has(name)) {
      ambient.push({ name, line: lineAt(node.start) });
    }
  }
  return {
    path,
    lineCount: text.trimEnd().split('\n').length,
    imports,
    ambient,
    defaultExportLine,
  };
}

function importOf(node: Node): Omit<ModuleImport, 'line'> | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration': {
      if (!isNode(node['source'])) return undefined;
      const kind = node['importKind'] ?? node['exportKind'];
      const specifiers = nodesOf(node['specifiers']);
      const typed = specifiers.map((each) => (each['importKind'] ?? each['exportKind']) === 'type');
      return {
        specifier: literal(node['source']),
        typeOnly: kind === 'type' || (typed.length > 0 && typed.every(Boolean)),
        names: specifiers.map((each) => nameOf(each['imported'] ?? each['local'], each.type)),
      };
    }
    case 'ExportAllDeclaration':
      return {
        specifier: literal(node['source']),
        typeOnly: node['exportKind'] === 'type',
        names: ['*'],
      };
    case 'ImportExpression':
      return { specifier: literal(node['source']), typeOnly: false, names: ['*'] };
    case 'TSImportType':
      return { specifier: literal(node['source']), typeOnly: true, names: ['*'] };
    case 'CallExpression': {
      if (nameOf(node['callee'], '') !== 'require') return undefined;
      return { specifier: literal(nodesOf(node['arguments'])[0]), typeOnly: false, names: ['*'] };
    }
    default:
      return undefined;
  }
}

function isDefaultExport(node: Node): boolean {
  return (
    node.type === 'ExportDefaultDeclaration' ||
    (node.type === 'ExportSpecifier' && nameOf(node['exported'], '') === 'default')
  );
}

/** `Date.now` and its like, `new Date()` and `Date()` without an argument. */
function effectOf(node: Node): string | undefined {
  if (node.type === 'MemberExpression' && isNode(node['property'])) {
    const member = node['computed'] === true ? literal(node['property']) : node['property']['name'];
    const name = `${nameOf(node['object'], '')}.${String(member)}`;
    return AMBIENT_MEMBERS.has(name) ? name : undefined;
  }
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const clock = nameOf(node['callee'], '') === 'Date';
    return clock && nodesOf(node['arguments']).length === 0 ? 'new Date()' : undefined;
  }
  return undefined;
}

/** Patterns in which a node declares names. */
function bindingsOf(node: Node): Node[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return nodesOf([node['id']]);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return nodesOf([node['id'], ...nodesOf(node['params'])]);
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return nodesOf([node['local']]);
    case 'CatchClause':
      return nodesOf([node['param']]);
    default:
      return [];
  }
}

function collectNames(pattern: Node, into: Set<string>): void {
  switch (pattern.type) {
    case 'Identifier':
      into.add(String(pattern['name']));
      break;
    case 'ObjectPattern':
      for (const each of nodesOf(pattern['properties'])) collectNames(each, into);
      break;
    case 'Property':
      for (const each of nodesOf([pattern['value']])) collectNames(each, into);
      break;
    case 'ArrayPattern':
      for (const each of nodesOf(pattern['elements'])) collectNames(each, into);
      break;
    case 'AssignmentPattern':
      for (const each of nodesOf([pattern['left']])) collectNames(each, into);
      break;
    case 'RestElement':
      for (const each of nodesOf([pattern['argument']])) collectNames(each, into);
      break;
  }
}

/** Children, without member and property names (they refer to nothing). */
function valueChildren(node: Node): Node[] {
  const names = new Set(['MemberExpression', 'Property', 'MethodDefinition', 'PropertyDefinition']);
  const skipped =
    names.has(node.type) && node['computed'] !== true
      ? node.type === 'MemberExpression'
        ? 'property'
        : 'key'
      : undefined;
  if (/^(Import|Export)\w*Specifier$/.test(node.type)) return [];
  // The name of a type, of its members and of its parameters is no use of a value.
  const isName = (child: Node) => node.type.startsWith('TS') && child.type === 'Identifier';
  return Object.entries(node)
    .filter(([key]) => key !== skipped)
    .flatMap(([, member]) => nodesOf(Array.isArray(member) ? member : [member]))
    .filter((child) => !isName(child) || /^TS(As|Satisfies|NonNull)/.test(node.type));
}

function literal(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string'
    ? node['value']
    : undefined;
}

function nameOf(node: unknown, holder: string): string {
  if (!isNode(node) || /Namespace/.test(holder)) return '*';
  if (holder === 'ImportDefaultSpecifier') return 'default';
  return String(node['name'] ?? node['value']);
}

function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
