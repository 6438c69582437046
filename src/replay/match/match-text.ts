import { partsOf } from '../recording/index.ts';

/** Takes a name for a value, or says that the name stands for another one. */
export type Bind = (name: string, value: string) => boolean;

/**
 * Whether a text is what the template says, in one pass: a name reaches to the next text that stands as it is.
 */
export function matchText(template: string, text: string, bind: Bind): boolean {
  const parts = partsOf(template);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if ('text' in part) {
      if (!text.startsWith(part.text, at)) return false;
      at += part.text.length;
      continue;
    }
    const end = endOf(parts.slice(index + 1), text, at);
    if (end <= at) return false;
    if (part.name !== '{time}' && !bind(part.name, text.slice(at, end))) return false;
    at = end;
  }
  return at === text.length;
}

function endOf(rest: ReturnType<typeof partsOf>, text: string, at: number): number {
  const [next] = rest;
  if (next === undefined) return text.length;
  if (!('text' in next)) return -1;
  return rest.length === 1 && text.endsWith(next.text)
    ? text.length - next.text.length
    : text.indexOf(next.text, at);
}
