import type { Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { type OpenedJwt, signatureProblem } from '../../jwt/open.ts';

export function isMinted(answer: Answer): boolean {
  return answer.string('access_token') !== undefined;
}

/** What is known of a provider that breaks (5xx) where it should refuse. */
export interface Breaking {
  isKnown: boolean;
}

/** No token; another check judges the status. */
export function nothingMinted(breaking: Breaking): (answer: Answer) => Reading {
  return (answer) => {
    breaking.isKnown ||= answer.status >= 500;
    return { ok: !isMinted(answer) };
  };
}

/** How a refusal reads; what was minted was none, and another check says so. */
export const ofRefusal =
  (row: (answer: Answer) => Reading) =>
  (answer: Answer): Reading | undefined =>
    isMinted(answer) ? undefined : row(answer);

/**
 * No token, and a refusal with 4xx. Another status without a token does no harm and is only a warning, once a
 * run: whoever breaks on one wrong value breaks on others.
 */
export function refusedBy(breaking: Breaking): (answer: Answer) => Reading {
  return (answer) => {
    if (isMinted(answer)) return { ok: false };
    if (answer.refused || breaking.isKnown) return { ok: true };
    breaking.isKnown = true;
    return {
      ok: false,
      warn: true,
      expected: 'It is refused with a 4xx. Nothing was minted here, but the status is wrong.',
    };
  };
}

/** The JWT is signed by a key of the set. */
export function signedBy(jwt: OpenedJwt, keys: readonly unknown[]): Reading {
  const problem = signatureProblem(jwt, keys);
  return { ok: problem === undefined, seen: problem ?? '' };
}
