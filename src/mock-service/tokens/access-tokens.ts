import { type Random, randomToken, sha256 } from '../../runtime/index.ts';

/** What access tokens look like, and what is kept of them. */
export interface AccessTokens {
  mint(): string | Promise<string>;
  /** What a token is stored and found by. */
  hash(token: string): string;
}

/** They say nothing to whoever holds them (wire.md §6). */
export function opaqueTokens(random: Random): AccessTokens {
  return { mint: () => randomToken(random, 'at_'), hash: sha256 };
}
