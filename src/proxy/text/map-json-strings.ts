/** What stands in the place of a string; the same: it stays. */
export type MapText = (text: string) => string;

/**
 * A JSON text (RFC 8259) in which values that are strings are replaced, member names not. What is not
 * replaced stays as it was written, byte for byte: numbers, spaces, escapes, members that come twice.
 */
export function mapJsonStrings(json: string, map: MapText): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = endOf(json, start);
    if (end === -1) break;
    if (!isName(json, end)) {
      const written = json.slice(start, end);
      const mapped = replaced(written, map);
      if (mapped !== undefined) {
        parts.push(json.slice(from, start), mapped);
        from = end;
      }
    }
    start = json.indexOf('"', end);
  }
  return from === 0 ? json : parts.join('') + json.slice(from);
}

/** Where the string that begins at `start` has ended; -1: nowhere. */
function endOf(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    // A quotation mark, and a backslash with what it escapes.
    if (code === 0x22) return at + 1;
    if (code === 0x5c) at += 1;
  }
  return -1;
}

/** Whether a colon comes next. */
function isName(json: string, end: number): boolean {
  let at = end;
  while (at < json.length && json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at) === 0x3a;
}

function replaced(written: string, map: MapText): string | undefined {
  let text: unknown;
  try {
    text = written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
  } catch {
    return undefined;
  }
  if (typeof text !== 'string') return undefined;
  const mapped = map(text);
  return mapped === text ? undefined : JSON.stringify(mapped);
}
