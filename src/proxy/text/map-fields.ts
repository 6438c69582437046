import type { MapText } from './map-json-strings.ts';

/**
 * A form or a query (URL Standard §5) in which values are replaced. What is not replaced stays as it was
 * written, its order and its escapes.
 */
export function mapFields(fields: string, map: MapText): string {
  return fields
    .split('&')
    .map((field) => {
      const at = field.indexOf('=');
      if (at === -1) return field;
      const value = decoded(field.slice(at + 1));
      if (value === undefined) return field;
      const mapped = map(value);
      return mapped === value ? field : `${field.slice(0, at)}=${encodeURIComponent(mapped)}`;
    })
    .join('&');
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
