const VARIABLE = /^\{[^{}]+\}$/;

/**
 * The candidate whose template fits the segments of a path, compared segment by segment: where two fit,
 * the one with a literal segment in the first place where they differ; of equals the first.
 */
export function matchTemplate<T extends { readonly template: string }>(
  candidates: readonly T[],
  segments: readonly string[],
): T | undefined {
  let best: { readonly candidate: T; readonly rank: string } | undefined;
  for (const candidate of candidates) {
    const rank = rankOf(candidate.template, segments);
    if (rank !== undefined && (best === undefined || rank < best.rank)) best = { candidate, rank };
  }
  return best?.candidate;
}

/** A digit a segment, `0` where it is literal: the smaller of two fits better. `undefined`: no fit. */
function rankOf(template: string, segments: readonly string[]): string | undefined {
  const [, path] = /^\/(.+)\.\{format\}$/.exec(template) ?? [];
  const wanted = path?.split('/');
  if (wanted?.length !== segments.length) return undefined;
  let rank = '';
  for (const [at, part] of wanted.entries()) {
    if (VARIABLE.test(part)) rank += '1';
    else if (part === segments[at]) rank += '0';
    else return undefined;
  }
  return rank;
}
