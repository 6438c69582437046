import type { CodeAt } from '../../protocol/codes.ts';
import { narrow, type Scopes, union } from './scopes.ts';

/** What the exchange for an ID-JAG is decided on. */
export interface MintFacts {
  /** What the request asks for. */
  readonly requested: Scopes;
  /** What the audience is known to offer. */
  readonly offered: Scopes;
  /** What the user agreed to; `undefined`: to nothing yet. */
  readonly consent: { readonly scopes: Scopes } | undefined;
  /** The user refused, and no agent was answered so yet. */
  readonly denied: boolean;
  /** This user's consent needs no page. */
  readonly autoApproved: boolean;
  /** When the user signed in, in ms. */
  readonly authTime: number;
}

export type MintDecision =
  | {
      readonly kind: 'mint';
      readonly scopes: Scopes;
      /** Set when consent is given by this very exchange. */
      readonly consentTo?: { readonly scopes: Scopes };
    }
  | { readonly kind: 'ask'; readonly scopes: Scopes }
  | { readonly kind: 'refused'; readonly code: CodeAt<'provider'> };

/**
 * Whether an ID-JAG is minted, and with which scopes. Never more than was asked for, is offered, and
 * was agreed to (draft-ietf-oauth-identity-assertion-authz-grant §4.3.3).
 */
export function decideMint(facts: MintFacts, now: number, maxAuthAge: number): MintDecision {
  const { autoApproved, consent, denied, requested, offered } = facts;
  const wanted = narrow(requested, offered);
  if (wanted?.length === 0) return { kind: 'refused', code: 'invalid_scope' };
  if (now - facts.authTime > maxAuthAge) {
    return { kind: 'refused', code: 'insufficient_user_authentication' };
  }
  if (consent !== undefined) {
    const agreed = narrow(wanted, consent.scopes);
    // Scopes that were named must be agreed to in full; without names, a subset is enough.
    const enough =
      requested === undefined ? agreed?.length !== 0 : agreed?.length === wanted?.length;
    if (enough) return { kind: 'mint', scopes: agreed };
  }
  // Scopes agreed to before stay in the consent request, so that the page shows all of them.
  const scopes = consent?.scopes === undefined ? wanted : union(consent.scopes, wanted);
  if (autoApproved) return { kind: 'mint', scopes: wanted, consentTo: { scopes } };
  if (denied) return { kind: 'refused', code: 'access_denied' };
  return { kind: 'ask', scopes };
}
