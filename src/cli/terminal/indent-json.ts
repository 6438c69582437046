/** The deepest level that is indented: a peer's text may nest without end, and deeper levels stand no further right. */
const DEEPEST = 40;

/**
 * JSON with line breaks and indents; what is none as it is. Numbers and strings stay as they were written:
 * parsing would round the one and unescape the other.
 */
export function indentJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const lineBreak = (change: number) => {
    depth += change;
    return `\n${'  '.repeat(Math.min(depth, DEEPEST))}`;
  };
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+|[[{]\s*[\]}]|[[\]{},:]/g, (part) => {
    if (part.startsWith('"')) return part;
    if (part === '[' || part === '{') return part + lineBreak(1);
    if (part === ']' || part === '}') return lineBreak(-1) + part;
    if (part === ',') return part + lineBreak(0);
    if (part === ':') return ': ';
    return part.replace(/\s+/, '');
  });
}
