import type { Reading } from '../../engine/judge.ts';
import { header, isText } from '../../engine/rows.ts';
import { type Answer, isObject } from '../../http/answer.ts';
import { isSecureUrl } from './urls.ts';

/** A list with at least one element, each of a kind; strings by default. */
export function isList(
  value: unknown,
  isRight: (item: unknown) => boolean = isText,
): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRight);
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** No member of a document is an empty list, but for these. */
export const noEmptyLists =
  (...allowed: readonly string[]) =>
  ({ json }: Answer): Reading => {
    const empty = Object.entries(isObject(json) ? json : {})
      .filter(([name, value]) => isEmptyList(value) && !allowed.includes(name))
      .map(([name]) => name);
    return { ok: empty.length === 0, seen: `${empty.join(', ')}: []` };
  };

/** RFC 8414 §2: a URL that agents trust, without a query. */
export function isIssuer(value: unknown): boolean {
  return isSecureUrl(value) && !value.includes('?');
}

/** What is public may be stored by any cache … */
export const cacheable = (answer: Answer): Reading => {
  const directives = answer.cacheControl;
  const seconds = Number(directives.find((each) => each.startsWith('max-age='))?.slice(8));
  const isCacheable = seconds > 0 && !directives.includes('no-store');
  return header('Cache-Control', () => isCacheable)(answer);
};
