/** Compares a `typ`, whatever its case, with or without `application/` (RFC 7515 §4.1.9). */
export function isType(typ: unknown, kind: string): boolean {
  return typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === kind;
}
