import { isJsonObject, type JsonObject } from '../../protocol/index.ts';

/** What a member means, by its name. */
export type MemberTexts = Readonly<Record<string, string>>;

/**
 * The JSON Schema of values that a mock wrote: their types, the members that all of them have, and the
 * formats that all of them follow. What is `null` in each of them could be anything.
 */
export function inferSchema(values: readonly unknown[], texts: MemberTexts = {}): JsonObject {
  const types = new Set(values.map(typeOf));
  if (types.has('number')) types.delete('integer');
  if (types.size === 0 || (types.size === 1 && types.has('null'))) return {};
  const [only] = types;
  return {
    type: types.size === 1 ? only : [...types],
    ...formatOf(values),
    ...arrayPart(values.filter(Array.isArray), texts),
    ...objectPart(values.filter(isJsonObject), texts),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function formatOf(values: readonly unknown[]): JsonObject {
  const texts = values.filter((value) => value !== null);
  return texts.every((text) => typeof text === 'string' && INSTANT.test(text))
    ? { format: 'date-time' }
    : {};
}

function arrayPart(lists: readonly (readonly unknown[])[], texts: MemberTexts): JsonObject {
  const items = lists.flat();
  return items.length === 0 ? {} : { items: inferSchema(items, texts) };
}

function objectPart(objects: readonly JsonObject[], texts: MemberTexts): JsonObject {
  if (objects.length === 0) return {};
  const names = [...new Set(objects.flatMap((each) => Object.keys(each)))];
  const required = names.filter((name) => objects.every((each) => each[name] !== undefined));
  const properties = names.map((name) => {
    const given = objects.map((each) => each[name]).filter((value) => value !== undefined);
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    return [name, { ...inferSchema(given, texts), ...(text && { description: text }) }] as const;
  });
  return {
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}
