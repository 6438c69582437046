/** RFC 6749 §5.2, RFC 6750 §3: no quote, no backslash, no control character, nothing beyond ASCII. */
const ALLOWED = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** An `error` or `error_description`, where it is a string, has only the allowed characters. */
export function isErrorText(value: unknown): boolean {
  return typeof value !== 'string' || ALLOWED.test(value);
}
