import type { MistakeId } from '../services/ten-mistakes/mistakes.ts';

/** What each mistake of the second service fails: this must, and no other. A silent link is a warning. */
export const FAILING = {
  'metadata-media-type': ['resource-metadata.media-type'],
  'id-jag-audience': ['id-jag-audience.other-service'],
  'silent-link': [],
  'uncounted-codes': ['wrong-codes.burnt'],
  'any-account': ['wrong-account.not-claimed'],
  'token-cacheable': ['cache-headers.tokens'],
  'open-redirect': ['sign-in-redirects.after-sign-in'],
  // Two forms: that of the sign-in, and that of the claim.
  'no-csrf': ['completion-forgery.foreign-page', 'sign-in-forgery.foreign-page'],
  'duplicate-set': ['event-repeat.acknowledged'],
  'unknown-token-revoke': ['revocation.unknown'],
} satisfies Readonly<Record<MistakeId, readonly string[]>>;

/** What the service that sends the members of the specification alone does against other texts. */
export const OF_AS_SHOWN = {
  // Its challenge names a URL without quotes, as the specification's row does.
  standards: [
    'cache-headers.tokens',
    'challenge.grammar',
    'client-authentication.refused',
    'event-refusals.body',
    'event-refusals.ill-formed',
    'event-refusals.language',
    'event-repeat.one-effect',
    'event-revocation.status',
    'exchange-refusals.missing',
    'exchange-refusals.refused',
    'exchange.token-type',
    'id-jag-audience.several',
    'id-jag-claims.required',
    'id-jag-headers.type',
    'revocation.repeated',
    'server-metadata.response-types',
    'token-scope.told',
    'unknown-claims.token-needed',
  ],
  attacks: [
    'completion-forgery.sibling-page',
    'event-kinds.id-jag',
    'id-jag-kinds.event',
    'id-jag-replay.again',
    'page-headers.not-framed',
    'sign-in-forgery.foreign-page',
    'wrong-codes.burnt',
  ],
} as const;

/** The ids of checks, in one order. */
export function ids(checks: readonly { readonly id: string }[]): readonly string[] {
  return checks.map(({ id }) => id).toSorted();
}

/** Where links are not silent, any account can also confirm one that is not its own. */
export const BESIDE_ANY_ACCOUNT = ['confirmation-reopen.owner-alone'];
