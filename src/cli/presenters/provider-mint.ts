import type { Minted } from '../../agent/outcomes.ts';
import type { Rendering } from '../output.ts';
import { isoOrNull } from '../terminal/time.ts';

/** The ID-JAG alone, so that it can be piped. */
export function presentMinted(minted: Minted): Rendering {
  return {
    schema: 'providerMint',
    json: () => ({
      assertion: minted.assertion.reveal(),
      provider: minted.provider,
      audience: minted.audience,
      expires_at: isoOrNull(minted.expiresAt),
    }),
    human: () => minted.assertion.reveal(),
  };
}
