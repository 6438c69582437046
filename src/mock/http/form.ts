/** The parameters of a form, each given once, but for `resource` (RFC 8707 §2). */
export interface Form {
  /** `undefined` when missing or empty: the two are the same (RFC 6749 §3.2). */
  get(name: string): string | undefined;
  /** Each different value, in order. */
  getAll(name: string): readonly string[];
}

/** A form with one value a parameter, whatever its name. */
export function singleValues(get: Form['get']): Form {
  return { get, getAll: (name) => [get(name) ?? []].flat() };
}
