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
