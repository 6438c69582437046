import { dirname, join } from 'node:path';
import ts from 'typescript-5.9';
import { TypeSchemas } from './type-schema.js';

/** @typedef {import('./type-schema.js').JsonSchema} JsonSchema */

/**
 * Types that are published as they are: the file, and the name of the type.
 *
 * @type {Record<string, [path: string, type: string]>}
 */
const TYPES = {
  transcript: ['src/traffic/transcript.ts', 'Transcript'],
  requirement: ['src/conformance/engine/read-requirements.ts', 'Requirement'],
  'conformance-baseline': ['src/conformance/engine/baseline.ts', 'Baseline'],
};

/**
 * The JSON Schemas of what the program prints with `--json`, by the name of the schema in `SCHEMAS`, as the types
 * say that it is printed; and of some types by their own.
 *
 * @param {string} root of the project
 * @returns {{ printed: Map<string, JsonSchema>; types: Map<string, JsonSchema> }}
 */
export function programSchemas(root) {
  const config = join(root, 'tsconfig.build.json');
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  );
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const schemas = new TypeSchemas(checker);
  /** @type {Map<string, ts.Type[]>} */
  const found = new Map();
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.includes('/src/cli/')) continue;
    visit(file, (literal) => {
      const rendering = renderingOf(literal, checker);
      for (const name of rendering?.names ?? []) {
        found.set(name, [...(found.get(name) ?? []), ...(rendering ? [rendering.type] : [])]);
      }
    });
  }
  const printed = new Map(
    [...found].map(([name, types]) => [name, merged(types.map((type) => schemas.schemaOf(type)))]),
  );
  const types = new Map(
    Object.entries(TYPES).map(([name, [path, type]]) => {
      const file = program.getSourceFile(join(root, path));
      const symbol = file && checker.getSymbolAtLocation(file);
      const exported = (symbol ? checker.getExportsOfModule(symbol) : []).find(
        (each) => each.name === type,
      );
      if (exported === undefined) throw new Error(`${path} exports no ${type}.`);
      return [name, schemas.schemaOf(checker.getDeclaredTypeOfSymbol(exported))];
    }),
  );
  return { printed, types };
}

/**
 * @param {ts.Node} node
 * @param {(literal: ts.ObjectLiteralExpression) => void} look
 */
function visit(node, look) {
  if (ts.isObjectLiteralExpression(node)) look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/**
 * A `Rendering`: the schemas that it can be, and the type of what it prints.
 *
 * @param {ts.ObjectLiteralExpression} literal
 * @param {ts.TypeChecker} checker
 */
function renderingOf(literal, checker) {
  const member = (/** @type {string} */ name) =>
    literal.properties.find((each) => each.name?.getText() === name);
  const [schema, json] = [member('schema'), member('json')];
  if (schema === undefined || json === undefined) return undefined;
  const given = checker.getTypeAtLocation(schema.name ?? schema);
  const value = ts.isPropertyAssignment(schema)
    ? checker.getTypeAtLocation(schema.initializer)
    : given;
  const names = (value.isUnion() ? value.types : [value]).flatMap((each) =>
    each.isStringLiteral() ? [each.value] : [],
  );
  const made = ts.isPropertyAssignment(json) ? json.initializer : (json.name ?? json);
  const [signature] = checker.getTypeAtLocation(made).getCallSignatures();
  return signature && { names, type: signature.getReturnType() };
}

/**
 * @param {readonly JsonSchema[]} schemas
 * @returns {JsonSchema}
 */
function merged(schemas) {
  const texts = [...new Set(schemas.map((each) => JSON.stringify(each)))].sort();
  const distinct = texts.map((text) => /** @type {JsonSchema} */ (JSON.parse(text)));
  return distinct.length === 1 ? (distinct[0] ?? {}) : { anyOf: distinct };
}
