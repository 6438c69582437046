import { isJsonObject } from '../../../../protocol/json.ts';

/** Members in camelCase, also those of what a list holds; what was left out is absent. */
export function renamed<T extends object>(
  object: T,
  names: Readonly<Record<string, string>> = {},
): Renamed<T> {
  const members = Object.entries(object).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const name = key.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    return [[names[key] ?? name, Array.isArray(value) ? value.map(renamedEntry) : value]];
  });
  return Object.fromEntries(members) as Renamed<T>;
}

function renamedEntry(entry: unknown): unknown {
  return isJsonObject(entry) ? renamed(entry) : entry;
}

export type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

export type Renamed<T> = T extends object
  ? { [K in keyof T as Camel<K & string>]: Exclude<T[K], undefined> }
  : T;
