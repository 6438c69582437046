import type { DialectId } from '../model.ts';

/** What can happen between an agent and a service: the rows of the table of dialects. */
export const DIALECT_FLOWS = [
  'anonymous',
  'claimed afterwards',
  'by email',
  'by ID-JAG',
  'link confirmed',
  'code before its confirmation',
  'wrong code',
  'expiry',
  're-open',
  'denial',
  'revocation',
  'token revoked by the agent',
  'assertion renewed',
] as const;
export type DialectFlow = (typeof DIALECT_FLOWS)[number];

/** A family of this protocol, for people; `docs/dialects.md` is printed from it. */
export interface DialectAbout {
  /** The published versions, and who is known to speak them. */
  readonly spokenBy: string;
  /** Where an agent finds that it may register. */
  readonly discovery: string;
  /** What a registration answers. */
  readonly registration: string;
  /** Which way the one-time code goes. */
  readonly ceremony: string;
  /** What the user's consent ends in, and how calls go on from there. */
  readonly afterwards: string;
  /** Members of an answer by which it is told apart. */
  readonly toldApartBy: string;
  /** Flows that it does not have, and why. */
  readonly notPossible: Readonly<Partial<Record<DialectFlow, string>>>;
}

export const DIALECT_ABOUT: Readonly<Record<DialectId, DialectAbout>> = {
  flat: {
    spokenBy:
      'Versions 0.4 to 0.7, and this project’s own specification: the published reference services, Tuist, Capgo, DermaScope, Custos, OpenSesame, Hopper, Agent Community, and most clients.',
    discovery: '`agent_auth.identity_endpoint`, and a claim grant in `grant_types_supported`.',
    registration:
      '`identity_assertion` beside `claim_token`, all at the top level of the answer; times as RFC 3339.',
    ceremony:
      'The agent shows `claim.user_code`; the user types it on `claim.verification_uri`; the agent polls the token endpoint.',
    afterwards:
      'The claim grant delivers an access token and an assertion that names the user; the assertion is exchanged for as long as it is good.',
    toldApartBy: '`identity_assertion`; `claim_attempt.user_code` or `claim.user_code`.',
    notPossible: {
      'code before its confirmation': 'The agent hands in no code: typing it is the confirmation.',
      'assertion renewed': 'An assertion that has expired is over: the agent registers again.',
    },
  },
  nested: {
    spokenBy: 'The later of the two documents that call themselves 0.7: WorkOS AuthKit, Depot.',
    discovery: '`agent_auth.identity_endpoint`, and no claim grant.',
    registration:
      '`id`, `type`, `identity{assertion, expires_at}` and `claim{token, expires_at, url, attempt}`.',
    ceremony:
      'A page shows the code to its signed-in user, who reads it to the agent; the agent sends it to `claim.url` + `/complete`.',
    afterwards:
      'The answer has an assertion and a refresh token, each once; the refresh token gets the next pair at the identity endpoint.',
    toldApartBy: 'the objects `identity`, `attempt` and `claim.attempt`; `id` beside `type`.',
    notPossible: {},
  },
  first: {
    spokenBy:
      'Versions 0.1 to 0.3: the scanners of web sites, NoForm, agtls, vidjutsu, and most static documents.',
    discovery: '`agent_auth.register_uri`, and with version 0.1 no `token_endpoint`.',
    registration:
      '`credential` with its `credential_type`, and `claim_token`; from version 0.2 on an `identity_assertion`.',
    ceremony:
      'The code comes to the user by mail; the user reads it to the agent, which sends it as `otp` to the claim URL + `/complete`.',
    afterwards:
      'The same credential reaches further from then on; it never expires unless the answer says so.',
    toldApartBy: '`credential`, `credential_type`; a claim that is `initiated` and names no page.',
    notPossible: {
      'code before its confirmation': 'Nobody confirms: who has the mail has the code.',
      'link confirmed': 'An ID-JAG that matches an account is linked to it without a question.',
      'token revoked by the agent': 'There is no revocation endpoint.',
      'assertion renewed': 'There is no assertion: the credential itself stays good.',
    },
  },
};
