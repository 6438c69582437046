import type { Effect } from './effects.ts';
import type { RegistrationFacts } from './facts.ts';

/** What a completed claim does to what was issued before it. */
export type AfterClaim = (facts: RegistrationFacts) => readonly Effect[];

/** It ends: the agent gets an assertion and tokens of the next version (wire contract §8). */
export const supersedeCredentials: AfterClaim = () => [
  { kind: 'raise_version' },
  { kind: 'end_credentials' },
];

/** It stays, and reaches as far as the claim does: a key that the agent has put into its configuration. */
export const widenCredentials: AfterClaim = ({ postClaimScopes }) => [
  { kind: 'widen_tokens', scopes: postClaimScopes },
];
