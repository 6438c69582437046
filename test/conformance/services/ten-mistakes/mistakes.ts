export interface Mistake {
  readonly id: string;
  readonly what: string;
  /** File of this folder, and what of the service shows it. */
  readonly where: string;
}

/** Each is one `has(...)` in the code. */
export const MISTAKES = [
  {
    id: 'metadata-media-type',
    what: 'The metadata of the resource is not sent as JSON, but as what a file server makes of a name without ending.',
    where: 'discovery.ts: GET /.well-known/oauth-protected-resource',
  },
  {
    id: 'id-jag-audience',
    what: 'An ID-JAG that was minted for another service registers here.',
    where: 'register.ts: POST /agent/identity',
  },
  {
    id: 'silent-link',
    what: 'An ID-JAG with the email of an existing account is linked to it without asking its owner.',
    where: 'register.ts: POST /agent/identity',
  },
  {
    id: 'uncounted-codes',
    what: 'Wrong codes are not counted: a code can be guessed for as long as it is valid.',
    where: 'claim.ts: POST /agent/identity/claim/complete',
  },
  {
    id: 'any-account',
    what: 'Any account that is signed in may complete a claim for another email.',
    where: 'claim.ts: POST /agent/identity/claim/complete',
  },
  {
    id: 'token-cacheable',
    what: 'Answers with tokens do not forbid caches to keep them.',
    where: 'tokens.ts: POST /oauth2/token',
  },
  {
    id: 'open-redirect',
    what: 'After the sign-in the browser is sent to whatever URL return_to holds.',
    where: 'sign-in.ts: POST /login',
  },
  {
    id: 'no-csrf',
    what: 'Forms are taken from pages of anybody: neither a token of the session nor Origin is looked at, and the cookie has no SameSite.',
    where: 'sign-in.ts: every form',
  },
  {
    id: 'duplicate-set',
    what: 'An event that is delivered a second time is answered with 400.',
    where: 'events.ts: POST /agent/event/notify',
  },
  {
    id: 'unknown-token-revoke',
    what: 'Revoking a token that is unknown is answered with 400.',
    where: 'tokens.ts: POST /oauth2/revoke',
  },
] as const satisfies readonly Mistake[];

export type MistakeId = (typeof MISTAKES)[number]['id'];
