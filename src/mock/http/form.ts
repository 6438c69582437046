/** The parameters of a form, each given once. */
export interface Form {
  /** `undefined` when missing or empty: the two are the same (RFC 6749 §3.2). */
  get(name: string): string | undefined;
}
