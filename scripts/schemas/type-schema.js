import ts from 'typescript-5.9';

/** @typedef {Record<string, unknown>} JsonSchema */

/**
 * JSON Schemas of TypeScript types, as `JSON.stringify` writes their values: what is undefined or a function is
 * left out. A type that holds itself is said once, in `$defs`.
 */
export class TypeSchemas {
  /** @type {ts.TypeChecker} */
  #checker;
  /** @type {Map<ts.Type, string>} */
  #names = new Map();
  /** @type {Set<ts.Type>} */
  #open = new Set();
  /** @type {Record<string, JsonSchema>} */
  #defs = {};

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.#checker = checker;
  }

  /**
   * @param {ts.Type} type
   * @returns {JsonSchema} with what it refers to
   */
  schemaOf(type) {
    this.#names.clear();
    this.#defs = {};
    const schema = this.#convert(type);
    return { ...schema, ...(Object.keys(this.#defs).length > 0 && { $defs: this.#defs }) };
  }

  /**
   * @param {ts.Type} type
   * @returns {JsonSchema}
   */
  #convert(type) {
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (type.isUnion()) return this.#union(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) {
      return { const: this.#checker.typeToString(type) === 'true' };
    }
    if (flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & ts.TypeFlags.TypeParameter) {
      const limit = this.#checker.getBaseConstraintOfType(type);
      return limit === undefined ? {} : this.#convert(limit);
    }
    return this.#object(type);
  }

  /**
   * @param {readonly ts.Type[]} types
   * @returns {JsonSchema}
   */
  #union(types) {
    const said = types.filter(
      ({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)),
    );
    const schemas = said.map((each) => this.#convert(each));
    if (schemas.some((each) => Object.keys(each).length === 0)) return {};
    const constants = schemas.filter((each) => 'const' in each).map((each) => each['const']);
    const isBoolean = constants.includes(true) && constants.includes(false);
    // In an order of their own: that of the types is another one after each change elsewhere.
    const words = constants
      .filter((each) => !(isBoolean && typeof each === 'boolean'))
      .sort(byText);
    const plain = schemas
      .filter((each) => typeof each['type'] === 'string' && Object.keys(each).length === 1)
      .map((each) => String(each['type']));
    const names = [...new Set([...plain, ...(isBoolean ? ['boolean'] : [])])].sort();
    const others = schemas.filter(
      (each) =>
        !('const' in each) && (Object.keys(each).length !== 1 || typeof each['type'] !== 'string'),
    );
    const parts = [
      ...(words.length === 0 ? [] : [words.length === 1 ? { const: words[0] } : { enum: words }]),
      ...(names.length === 0 ? [] : [{ type: names.length === 1 ? names[0] : names }]),
      ...unique(others).sort(byText),
    ];
    if (parts.length === 1) return parts[0] ?? {};
    // One list is easier to read than a list and a null.
    if (parts.length === 2 && names.length === 1 && names[0] === 'null' && words.length > 0) {
      return { enum: [...words, null] };
    }
    return { anyOf: parts };
  }

  /**
   * @param {ts.Type} type
   * @returns {JsonSchema}
   */
  #object(type) {
    const checker = this.#checker;
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const items = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
      const schema = items.length === 1 && items[0] ? this.#convert(items[0]) : this.#union(items);
      return { type: 'array', ...(Object.keys(schema).length > 0 && { items: schema }) };
    }
    if (this.#open.has(type)) {
      const name = this.#names.get(type) ?? `Part${this.#names.size + 1}`;
      this.#names.set(type, name);
      return { $ref: `#/$defs/${name}` };
    }
    this.#open.add(type);
    const schema = this.#members(type);
    this.#open.delete(type);
    const name = this.#names.get(type);
    if (name === undefined) return schema;
    this.#defs[name] = schema;
    return { $ref: `#/$defs/${name}` };
  }

  /**
   * @param {ts.Type} type
   * @returns {JsonSchema}
   */
  #members(type) {
    const checker = this.#checker;
    /** @type {Record<string, JsonSchema>} */
    const properties = {};
    const required = [];
    for (const symbol of checker.getPropertiesOfType(type)) {
      const own = checker.getTypeOfSymbol(symbol);
      if (own.getCallSignatures().length > 0 || symbol.name.startsWith('__@')) continue;
      if (isNothing(own)) continue;
      const description = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
      properties[symbol.name] = {
        ...this.#convert(own),
        ...(description !== '' && { description: description.replaceAll(/\s*\n\s*/g, ' ') }),
      };
      const isOptional = symbol.flags & ts.SymbolFlags.Optional || hasUndefined(own);
      if (!isOptional) required.push(symbol.name);
    }
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    const rest = index && this.#convert(index);
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(rest && Object.keys(rest).length > 0 && { additionalProperties: rest }),
    };
  }
}

/** @param {ts.Type} type */
function hasUndefined(type) {
  const types = type.isUnion() ? type.types : [type];
  return types.some(
    ({ flags }) => flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Unknown | ts.TypeFlags.Any),
  );
}

/** @param {ts.Type} type */
function isNothing({ flags }) {
  return Boolean(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never));
}

/**
 * @template T
 * @param {readonly T[]} values
 */
function unique(values) {
  return [...new Map(values.map((each) => [JSON.stringify(each), each])).values()];
}

/** @param {unknown} one @param {unknown} other */
function byText(one, other) {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
