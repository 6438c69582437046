import type { TokenInUse } from '../../agent/outcomes.ts';
import type { Context } from '../context.ts';
import type { Rendering } from '../output.ts';
import { isoOrNull } from '../terminal/time.ts';

/** The one command, beside `provider mint`, whose result is a secret. */
export function presentToken({ world }: Context, token: TokenInUse): Rendering {
  const { remaining } = token;
  return {
    schema: 'token',
    json: () => ({
      access_token: token.value.reveal(),
      token_type: 'Bearer',
      scopes: token.scopes,
      expires_at: isoOrNull(remaining === null ? null : world.clock.now() + remaining),
      expires_in: remaining === null ? null : Math.max(0, Math.floor(remaining / 1000)),
      source: token.source,
      registration_id: token.registration?.id ?? null,
    }),
    human: () => token.value.reveal(),
  };
}
