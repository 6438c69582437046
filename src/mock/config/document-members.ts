import { isJsonObject, type JsonObject } from '../../protocol/json.ts';

/** Members by the document that they are in. */
export type DocumentMembers<D extends string> = Readonly<Record<D, JsonObject>>;

/** What is wrong with a member that is in the document already. */
export const OWN_MEMBER = 'the mock writes this member itself';

/** Why a document cannot be given a member; undefined when it can. @param own what the mock writes. */
export function memberProblem(own: JsonObject, name: string, value: unknown): string | undefined {
  if (Object.hasOwn(own, name)) return OWN_MEMBER;
  // What every object inherits, as `__proto__`: a reader could take it for that.
  if (name === '' || name in {}) return 'no member can have this name';
  return isJson(value) ? undefined : 'its value is not JSON';
}

/**
 * The members that are added to documents: none that the mock writes itself.
 * @param own the documents as the mock writes them. @throws TypeError that names the wrong one.
 */
export function addedMembers<D extends string>(
  own: DocumentMembers<D>,
  given: Partial<DocumentMembers<D>> | undefined,
): DocumentMembers<D> {
  const written = new Map(Object.entries<JsonObject>(own));
  const added = Object.fromEntries([...written.keys()].map((document) => [document, {}]));
  for (const [document, members] of Object.entries<unknown>(given ?? {})) {
    const ours = written.get(document);
    if (ours === undefined) {
      const known = [...written.keys()].join(', ');
      throw new TypeError(`metadata.${document}: there is no such document. Known: ${known}.`);
    }
    if (!isJsonObject(members)) throw new TypeError(`metadata.${document}: this is no object.`);
    for (const [name, value] of Object.entries(members)) {
      const problem = memberProblem(ours, name, value);
      if (problem !== undefined) throw new TypeError(`metadata.${document}.${name}: ${problem}.`);
    }
    added[document] = structuredClone(members);
  }
  return added as Record<D, JsonObject>;
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
