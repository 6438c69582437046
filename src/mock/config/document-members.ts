import { isJsonObject, type JsonObject } from '../../protocol/json.ts';

/** Members by the document that they are in. */
export type DocumentMembers<D extends string> = Readonly<Record<D, JsonObject>>;

/**
 * A document with members added or replaced, and without those of its own that are `null`: what it says then need not
 * be what the mock does.
 */
export function withMembers(own: JsonObject, given: JsonObject): JsonObject {
  const left = Object.entries(own).filter(([name]) => given[name] !== null);
  const added = Object.entries(given).filter(
    ([name, value]) => value !== null || !Object.hasOwn(own, name),
  );
  return { ...Object.fromEntries(left), ...Object.fromEntries(added) };
}

/** Why a document cannot be given a member; undefined when it can. */
export function memberProblem(name: string, value: unknown): string | undefined {
  // What every object inherits, as `__proto__`: a reader could take it for that.
  if (name === '' || name in {}) return 'no member can have this name';
  return isJson(value) ? undefined : 'its value is not JSON';
}

/**
 * The members that are added to documents, replaced there, or taken away.
 * @throws TypeError that names the wrong one.
 */
export function changedMembers<D extends string>(
  documents: readonly D[],
  given: Partial<DocumentMembers<D>> | undefined,
): DocumentMembers<D> {
  const changed = Object.fromEntries<JsonObject>(documents.map((document) => [document, {}]));
  for (const [document, members] of Object.entries<unknown>(given ?? {})) {
    if (!documents.some((known) => known === document)) {
      const known = documents.join(', ');
      throw new TypeError(`metadata.${document}: there is no such document. Known: ${known}.`);
    }
    if (!isJsonObject(members)) throw new TypeError(`metadata.${document}: this is no object.`);
    for (const [name, value] of Object.entries(members)) {
      const problem = memberProblem(name, value);
      if (problem !== undefined) throw new TypeError(`metadata.${document}.${name}: ${problem}.`);
    }
    changed[document] = structuredClone(members);
  }
  return changed as Record<D, JsonObject>;
}

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson);
  if (isJsonObject(value)) {
    const prototype = Object.getPrototypeOf(value);
    const isPlain = prototype === Object.prototype || prototype === null;
    return isPlain && Object.values(value).every(isJson);
  }
  return value === null || typeof value === 'string' || typeof value === 'boolean'
    ? true
    : Number.isFinite(value);
}
