import { isJsonObject, type JsonObject } from '../../protocol/index.ts';
import { NoSample, type Resolve, refOf } from './references.ts';

type Schema = Record<string, unknown>;

/** How deep it is followed; where that gets too large, less deep. */
const DEPTHS = [10, 5, 3, 2];
/** Values of a sample. */
const LARGEST = 2_000;
const MOST_ITEMS = 20;
const LONGEST = 1_000;

/** What is taken over as it is. */
const PLAIN = [
  'format',
  'const',
  'default',
  'example',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'required',
  'readOnly',
  'writeOnly',
  'xml',
  'maxItems',
] as const;

/**
 * A schema as a tree without references that a sampler walks in bounded time: circles end, and what asks for
 * very much is cut.
 * @throws NotTaken for a reference to another file, or to nothing; NoSample for a schema that is too large.
 */
export function finiteSchema(schema: unknown, resolve: Resolve): Schema {
  let tooLarge: unknown;
  for (const deepest of DEPTHS) {
    try {
      return cutSchema(schema, resolve, deepest);
    } catch (error) {
      if (!(error instanceof NoSample)) throw error;
      tooLarge = error;
    }
  }
  throw tooLarge;
}

/** @throws NoSample when it is too large. */
function cutSchema(schema: unknown, resolve: Resolve, deepest: number): Schema {
  let budget = LARGEST;
  const copy = (given: unknown, around: readonly unknown[], times: number): Schema => {
    const inner = resolve(given);
    const key = refOf(given) ?? inner;
    if (!isJsonObject(inner)) return {};
    budget -= times;
    if (budget < 0) throw new NoSample('schema too large for a sample');
    if (around.length > deepest || around.includes(key))
      return { ...(typeOf(inner) && { type: typeOf(inner) }) };
    const path = [...around, key];
    const deeper = (value: unknown, factor = 1) => copy(value, path, times * factor);
    const into: Schema = {};
    const beside = isJsonObject(given) ? given : inner;
    for (const name of PLAIN) {
      // OpenAPI 3.1: a reference may have an example of its own beside it.
      const value = beside[name] ?? inner[name];
      if (value !== undefined) into[name] = value;
    }
    const type = typeOf(inner);
    if (type !== undefined) into['type'] = type;
    const examples = beside['examples'] ?? inner['examples'];
    if (Array.isArray(examples)) into['examples'] = examples.slice(0, 1);
    addLengths(into, inner);
    addObject(into, inner, deeper);
    addArray(into, inner, deeper);
    addChoices(into, inner, deeper);
    return into;
  };
  return copy(schema, [], 1);
}

type Deeper = (value: unknown, factor?: number) => Schema;

/** The first type that is not null. */
function typeOf({ type }: JsonObject): string | undefined {
  const types = [type].flat().filter((each): each is string => typeof each === 'string');
  return types.find((each) => each !== 'null') ?? types[0];
}

/** The sampler complains about lengths beside a format. */
function addLengths(into: Schema, { format, maxLength, minLength }: JsonObject): void {
  if (format !== undefined) return;
  if (typeof minLength === 'number') into['minLength'] = Math.min(minLength, LONGEST);
  if (typeof maxLength === 'number') into['maxLength'] = maxLength;
}

function addObject(into: Schema, { additionalProperties, properties }: JsonObject, deeper: Deeper) {
  if (isJsonObject(properties)) {
    const entries = Object.entries(properties).filter(([name]) => name !== '__proto__');
    into['properties'] = Object.fromEntries(entries.map(([name, each]) => [name, deeper(each)]));
  }
  if (isJsonObject(additionalProperties) && !isJsonObject(properties)) {
    into['additionalProperties'] = deeper(additionalProperties, 2);
  }
}

function addArray(
  into: Schema,
  { items, minItems, prefixItems }: JsonObject,
  deeper: Deeper,
): void {
  const count = typeof minItems === 'number' ? Math.min(Math.max(minItems, 1), MOST_ITEMS) : 1;
  if (Array.isArray(prefixItems)) {
    into['prefixItems'] = prefixItems.slice(0, MOST_ITEMS).map((each) => deeper(each));
  } else if (isJsonObject(items)) {
    into['items'] = deeper(items, count);
    into['minItems'] = count;
  }
}

/** One of several, none of them null; and of all together those that go together. */
function addChoices(into: Schema, inner: JsonObject, deeper: Deeper): void {
  for (const name of ['oneOf', 'anyOf'] as const) {
    const choices = inner[name];
    if (!Array.isArray(choices) || 'oneOf' in into) continue;
    const chosen = choices.find((each) => !isJsonObject(each) || each['type'] !== 'null');
    if (chosen !== undefined) into[name] = [deeper(chosen)];
  }
  if (!Array.isArray(inner['allOf'])) return;
  const parts = inner['allOf'].map((each) => deeper(each));
  const type = into['type'] ?? parts.find((part) => part['type'] !== undefined)?.['type'];
  into['allOf'] = parts.filter((part) => part['type'] === undefined || part['type'] === type);
}
