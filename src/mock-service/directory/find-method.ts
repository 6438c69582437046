import type { DirectoryMethod } from '../config/directory.ts';
import type { Catalog } from './catalog.ts';
import type { DirectoryPath } from './path.ts';
import { SPECIFIED } from './published.ts';

const VARIABLE = /^\{[^{}]+\}$/;

/** The method of the catalog that a path is of. */
export function findMethod(
  { services }: Catalog,
  base: string,
  { segments }: DirectoryPath,
): DirectoryMethod | undefined {
  const candidates = services.flatMap(({ methods, service_url: url }) => {
    const root = url?.startsWith(`${base}/`) ? url.slice(base.length) : url;
    return (methods ?? []).map((method) => ({
      method,
      template: `${root ?? ''}${method.method_url ?? ''}`,
    }));
  });
  const specified = SPECIFIED.get(segments.join('/'))?.split('/') ?? [];
  return (matchTemplate(candidates, segments) ?? matchTemplate(candidates, specified))?.method;
}

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
  const wanted = /^\/(.+)\.\{format\}$/.exec(template)?.[1]?.split('/');
  if (wanted?.length !== segments.length) return undefined;
  const digits = wanted.map((part, at) =>
    VARIABLE.test(part) ? '1' : part === segments[at] ? '0' : undefined,
  );
  return digits.includes(undefined) ? undefined : digits.join('');
}
