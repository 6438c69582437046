import type { Answer } from '../../http/answer.ts';
import { listOf, scopesOf, stringsIn } from './answers.ts';

/** The scopes before and after a claim, as far as a service says which they are. */
export class ClaimScopes {
  /** `pre_claim_scopes` of the registration. */
  readonly declared: readonly string[] | undefined;
  /** As declared, or else as granted before the claim. */
  readonly preClaim: readonly string[] | undefined;
  readonly #postClaim: readonly string[] | undefined;
  readonly #supported: readonly string[];

  /** @param exchanged The first exchange, before the claim. */
  constructor(registered: Answer, exchanged: Answer, metadata: Readonly<Record<string, unknown>>) {
    this.declared = listOf(registered, 'pre_claim_scopes');
    this.preClaim = this.declared ?? scopesOf(exchanged);
    this.#postClaim = listOf(registered, 'post_claim_scopes');
    this.#supported = stringsIn(metadata['scopes_supported']);
  }

  /** Whether an answer grants no more than before the claim. */
  isPreClaim(answer: Answer): boolean {
    return (scopesOf(answer) ?? []).every((scope) => this.preClaim?.includes(scope) ?? true);
  }

  /** Scopes that only a claim brings. */
  get postClaimOnly(): readonly string[] {
    const { preClaim } = this;
    if (preClaim === undefined) return [];
    return (this.#postClaim ?? this.#supported).filter((scope) => !preClaim.includes(scope));
  }

  /** The scopes after the claim: as granted, as promised, or as supported at all. */
  after(claimed: Answer): readonly string[] {
    return scopesOf(claimed) ?? this.#postClaim ?? this.#supported;
  }
}
