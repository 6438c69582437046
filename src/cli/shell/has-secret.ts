/** Options whose values may be secrets: a line with one of them is not repeated. */
const PRIVATE = ['--assertion', '--code', '--header', '-H', '--data', '-d', '--db', '--control'];

/** Whether a word may be a secret. */
export function hasSecret(argv: readonly string[]): boolean {
  return argv.some(
    (word) =>
      word.length > 200 || PRIVATE.some((flag) => word === flag || word.startsWith(`${flag}=`)),
  );
}
