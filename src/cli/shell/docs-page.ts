/** Commands that do nothing without one of theirs. */
export const GROUPS: readonly string[] = ['provider', 'mock', 'conformance'];

/**
 * The page of `dist/docs/commands` that a command stands on: each has its own, but `claim wait` stands on that of
 * `claim`, which does something by itself.
 * @param words of the command, without the program. None: the index.
 */
export function docsPage(words: readonly string[]): string {
  const [first = 'README'] = words;
  const name = words.slice(0, GROUPS.includes(first) ? 2 : 1).join('-') || first;
  return `dist/docs/commands/${name}.md`;
}
