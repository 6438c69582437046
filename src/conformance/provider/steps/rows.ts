import type { Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { type OpenedJwt, signatureProblem } from '../../jwt/open.ts';

/** Refused by a provider that is not broken, and without a token. */
export function isRefused(answer: Answer): boolean {
  return answer.refused && answer.string('access_token') === undefined;
}

export function isMinted(answer: Answer): boolean {
  return answer.string('access_token') !== undefined;
}

/** No token, and a refusal of a provider that is not broken. */
export const mintRefused = (answer: Answer): Reading => ({ ok: isRefused(answer) });

/** The JWT is signed by a key of the set. */
export function signedBy(jwt: OpenedJwt, keys: readonly unknown[]): Reading {
  const problem = signatureProblem(jwt, keys);
  return { ok: problem === undefined, seen: problem ?? '' };
}
