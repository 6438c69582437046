import { displayText } from '../../../protocol/index.ts';

/**
 * Names of scopes, as a list or as one text with spaces (RFC 6749 §3.3), made safe to show. `null`: the answer
 * has none, or something else in their place, which is not worth losing the rest of it.
 */
export function readNames(value: unknown): readonly string[] | null {
  const names = typeof value === 'string' ? value.split(' ') : value;
  if (!Array.isArray(names)) return null;
  return names
    .filter((name): name is string => typeof name === 'string' && name !== '')
    .map((name) => displayText(name, 100));
}
