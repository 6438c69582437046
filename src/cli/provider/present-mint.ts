import type { Minted } from '../../agent/outcomes.ts';
import type { Context } from '../shell/context.ts';
import type { Rendering } from '../shell/output.ts';
import { endJson } from '../terminal/time.ts';

/** The ID-JAG alone, so that it can be piped. */
export function presentMinted({ clocks }: Context, minted: Minted): Rendering {
  return {
    schema: 'providerMint',
    json: () => ({
      assertion: minted.assertion.reveal(),
      provider: minted.provider,
      audience: minted.audience,
      ...endJson('expires_at', minted.expiresAt, clocks.now(minted.provider)),
    }),
    human: () => minted.assertion.reveal(),
  };
}
