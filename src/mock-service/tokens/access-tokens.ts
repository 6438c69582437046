import { type Random, randomToken, sha256 } from '../../runtime/index.ts';

/** The format of access tokens, and what is stored of them. */
export interface AccessTokens {
  mint(): string | Promise<string>;
  /** What a token is stored and found by. */
  hash(token: string): string;
}

/** They carry no information (wire contract §6). */
export function opaqueTokens(random: Random, prefix = 'at_'): AccessTokens {
  return { mint: () => randomToken(random, prefix), hash: sha256 };
}
