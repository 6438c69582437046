/**
 * A text as a transcript has it: the names of origins in their places, also where one stands escaped.
 * @param origins by their names.
 */
export function withoutOrigins(text: string, origins: ReadonlyMap<string, string>): string {
  let shown = text;
  for (const [name, origin] of origins) {
    const plain = origin.replaceAll(/[.[\]]/g, '\\$&');
    const escaped = encodeURIComponent(origin).replaceAll('.', '\\.');
    // Another port, or a longer host, is another origin.
    const end = '(?![\\w.:-]|%3A)';
    shown = shown.replace(new RegExp(`(?:${plain}|${escaped})${end}`, 'gi'), name);
  }
  return shown;
}
