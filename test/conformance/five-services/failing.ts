import type { MistakeId } from '../services/ten-mistakes/mistakes.ts';

/** What each mistake of the second service fails: these musts, and no other. A silent link is a warning. */
export const FAILING = {
  'metadata-media-type': ['resource-metadata.media-type'],
  'id-jag-audience': [
    'id-jag-audience.look-alike',
    'id-jag-audience.other-service',
    'id-jag-audience.several',
    'id-jag-claims.required',
    'id-jag-claims.types',
  ],
  'silent-link': [],
  'uncounted-codes': ['claim-races.guesses-counted', 'wrong-codes.burnt'],
  'any-account': ['wrong-account.not-claimed'],
  'token-cacheable': ['cache-headers.pragma', 'cache-headers.tokens'],
  'open-redirect': ['sign-in-redirects.after-sign-in'],
  'no-csrf': [
    'completion-forgery.foreign-denial',
    'completion-forgery.foreign-origin',
    'completion-forgery.foreign-page',
    'completion-forgery.sibling-page',
    'completion-forgery.token-needed',
    'sign-in-forgery.foreign-page',
  ],
  'duplicate-set': ['event-repeat.acknowledged'],
  'unknown-token-revoke': ['revocation.unknown'],
} satisfies Readonly<Record<MistakeId, readonly string[]>>;

/** The ids of checks, in one order. */
export function ids(checks: readonly { readonly id: string }[]): readonly string[] {
  return checks.map(({ id }) => id).toSorted();
}
