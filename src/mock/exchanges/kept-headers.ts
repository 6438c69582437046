/** Headers as whoever had them wrote them: `Headers`, by their names, or name and value in turn. */
export type KeptHeaders = Headers | readonly string[] | Readonly<Record<string, string>>;

/** For whoever reads them, which most are never. */
export function keptHeaders(kept: KeptHeaders): Headers {
  if (!isList(kept)) return new Headers(kept);
  const headers = new Headers();
  for (let at = 0; at + 1 < kept.length; at += 2)
    headers.append(kept[at] ?? '', kept[at + 1] ?? '');
  return headers;
}

/** How long they are, in characters. */
export function lengthOf(kept: KeptHeaders): number {
  let length = 0;
  if (isList(kept)) {
    for (const text of kept) length += text.length;
  } else if (kept instanceof Headers) {
    for (const [name, value] of kept) length += name.length + value.length;
  } else {
    for (const name in kept) length += name.length + (kept[name]?.length ?? 0);
  }
  return length;
}

function isList(kept: KeptHeaders): kept is readonly string[] {
  return Array.isArray(kept);
}
