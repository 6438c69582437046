import { displayText, isJsonObject, type JsonObject } from '../protocol/index.ts';

/** No more of a list is read: a document must not decide how long this takes. */
const MOST_ENTRIES = 64;
/** Far longer than any URL or name that is meant. */
const LONGEST_TEXT = 2048;

const NOTHING: JsonObject = {};

/** An object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : NOTHING;
}

/** A member of the object itself: never one that every object inherits, as `constructor`. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether there is something in a member. */
export function isGiven(object: JsonObject, name: string): boolean {
  return (memberOf(object, name) ?? undefined) !== undefined;
}

/** The first of several members that is there. */
export function firstMember(object: JsonObject, names: readonly string[]): string | undefined {
  return names.find((name) => memberOf(object, name) !== undefined);
}

/** A text that is not empty, without the blanks around it. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_TEXT) return undefined;
  return value.trim() || undefined;
}

/** The text of a member, which may be none; as it stands in {@link rawText}. */
export function textAt(object: JsonObject, name: string): string | undefined {
  return textOf(memberOf(object, name));
}

export function rawText(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_ENTRIES) : [];
}

/** The texts of a list, safe to show; a single text counts as one of words, as OAuth writes scopes. */
export function namesOf(value: unknown, length = 100): readonly string[] {
  const given =
    typeof value === 'string'
      ? value.slice(0, LONGEST_TEXT).split(/[\s,]+/, MOST_ENTRIES)
      : listOf(value);
  const names = given.flatMap((name) => textOf(name) ?? []);
  return [...new Set(names.map((name) => displayText(name, length)).filter((name) => name !== ''))];
}

/** A value of any kind, safe to show and short. */
export function shown(value: unknown, length = 120): string {
  if (typeof value === 'string') return displayText(value.slice(0, LONGEST_TEXT), length);
  if (Array.isArray(value)) {
    const names = listOf(value).map((entry) => (isSimple(entry) ? String(entry) : '{…}'));
    return displayText(names.join(', '), length);
  }
  if (isJsonObject(value)) return '{…}';
  return isSimple(value) ? String(value) : typeof value;
}

function isSimple(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** What a user meant by a setting: `true`, `"true"` or `1`. */
export function isYes(value: unknown): boolean {
  return value === true || value === 'true' || value === 1;
}

export function isNo(value: unknown): boolean {
  return value === false || value === 'false' || value === 0;
}
