import { isJsonObject } from '../../protocol/index.ts';
import type { Answer } from './answer.ts';

const MOST = 30;

/**
 * The members of an answer and their types, for an error and a list: `claim: { user_code: number }`.
 * Never a value, and no name that may itself be one (an object can be keyed by tokens).
 */
export function describeMembers({ body }: Pick<Answer, 'body'>): readonly string[] {
  return body.ok ? members(body.json, 2) : [];
}

function members(json: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  const entries = Object.entries(json);
  const shown = entries
    .slice(0, MOST)
    .map(([name, value]) => `${nameOf(name)}: ${typeOf(value, depth)}`);
  const more = entries.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function nameOf(name: string): string {
  const isName = /^[A-Za-z_][\w.-]{0,39}$/.test(name) && !(name.length > 16 && /\d/.test(name));
  return isName ? name : `(a name of ${name.length} characters)`;
}

function typeOf(value: unknown, depth: number): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (!isJsonObject(value)) return typeof value;
  const inner = depth > 1 ? members(value, depth - 1) : [];
  return inner.length === 0 ? 'object' : `{ ${inner.join(', ')} }`;
}
