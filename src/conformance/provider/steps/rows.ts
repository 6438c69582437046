import type { Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { type OpenedJwt, signatureProblem } from '../../jwt/open.ts';

export function isMinted(answer: Answer): boolean {
  return answer.string('access_token') !== undefined;
}

/** No token, whatever the status: for what another check judges by its status. */
export const nothingMinted = (answer: Answer): Reading => ({ ok: !isMinted(answer) });

/**
 * No token, and a refusal with 4xx. Another status without a token does no harm and is only a warning, once:
 * its cause is the same for every value that is refused like that.
 * @param isSaid Another check has found it already.
 */
export function refusals(isSaid = false): (answer: Answer) => Reading {
  let isKnown = isSaid;
  return (answer) => {
    if (isMinted(answer)) return { ok: false };
    if (answer.refused || isKnown) return { ok: true };
    isKnown = true;
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
