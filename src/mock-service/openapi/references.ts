import { isJsonObject, type JsonObject } from '../../protocol/index.ts';

/** Why an operation cannot be taken: what is said in brackets. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

/** Why an operation is answered without an example: what is said in brackets. */
export class NoSample extends Error {
  override readonly name = 'NoSample';
}

/** What a value stands for: itself, or what its local `$ref` leads to. */
export type Resolve = (value: unknown) => unknown;

/** Characters. */
const LONGEST = 2_000;
/** How many references may lead from one to the next. */
const MOST_STEPS = 50;

/**
 * Follows the references of one document and of nothing else: nothing here can read a file or a URL.
 * @returns a function that throws {@link NotTaken} for a reference to another file, or to nothing.
 */
export function localReferences(document: JsonObject): Resolve {
  const known = new Map<string, unknown>();
  const follow = (ref: string, steps: number): unknown => {
    if (!ref.startsWith('#')) throw new NotTaken(`reference to another file: ${shown(ref)}`);
    if (known.has(ref)) return known.get(ref);
    if (steps > MOST_STEPS) throw new NotTaken(`reference that leads to itself: ${shown(ref)}`);
    const found = find(ref, steps);
    known.set(ref, found);
    return found;
  };
  const step = (value: unknown, steps: number): unknown => {
    const ref = refOf(value);
    return ref === undefined ? value : follow(ref, steps + 1);
  };
  // RFC 6901 §6.
  const find = (ref: string, steps: number): unknown => {
    let value: unknown = document;
    for (const name of namesOf(ref)) {
      const within = step(value, steps);
      if (typeof within !== 'object' || within === null || !Object.hasOwn(within, name)) {
        throw new NotTaken(`reference that leads nowhere: ${shown(ref)}`);
      }
      value = (within as Readonly<Record<string, unknown>>)[name];
    }
    return step(value, steps);
  };
  return (value) => step(value, 0);
}

/** The `$ref` of a value, if it is a reference. */
export function refOf(value: unknown): string | undefined {
  return isJsonObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
}

/** The members that a pointer names, from the root on. */
function namesOf(ref: string): readonly string[] {
  let pointer: string | undefined;
  try {
    pointer = ref.length > LONGEST ? undefined : decodeURIComponent(ref.slice(1));
  } catch {
    // An escape that is none.
  }
  if (pointer === '') return [];
  if (!pointer?.startsWith('/')) {
    throw new NotTaken(`reference that leads nowhere: ${shown(ref)}`);
  }
  const names = pointer.slice(1).split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function shown(ref: string): string {
  return ref.length > 80 ? `${ref.slice(0, 80)}…` : ref;
}
