import type { JsonObject } from '../../../protocol/json.ts';

/** A copy of a document that is being mended: its members keep their order. */
export type Draft = Record<string, unknown>;

/** Says in a clause what was changed. */
export type Note = (change: string) => void;

export function copyOf(json: JsonObject): Draft {
  return structuredClone(json) as Draft;
}

export function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function has(object: Draft, name: string): boolean {
  return Object.hasOwn(object, name);
}

export function textAt(object: Draft, name: string): string | undefined {
  const value = has(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** What a text lists, as OAuth writes scopes. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** Gives a member another name, at the same place. */
export function rename(object: Draft, from: string, to: string): void {
  replace(object, (name, value) => [[name === from ? to : name, value]]);
}

/** Adds a member behind another one, or at the end. */
export function insertAfter(object: Draft, before: string, name: string, value: unknown): void {
  if (!has(object, before)) {
    define(object, name, value);
    return;
  }
  replace(object, (each, its) =>
    each === before
      ? [
          [each, its],
          [name, value],
        ]
      : [[each, its]],
  );
}

type Member = readonly [name: string, value: unknown];

function replace(object: Draft, change: (name: string, value: unknown) => readonly Member[]): void {
  const members = Object.entries(object);
  for (const [name] of members) delete object[name];
  for (const [name, value] of members.flatMap((each) => change(...each))) {
    define(object, name, value);
  }
}

/** `__proto__` is a member like any other. */
function define(object: Draft, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
