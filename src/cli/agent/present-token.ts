import type { TokenInUse } from '../../agent/outcomes.ts';
import type { Context } from '../shell/context.ts';
import type { Rendering } from '../shell/output.ts';
import { endJson } from '../terminal/time.ts';

/** The one command, beside `provider mint`, whose result is a secret. */
export function presentToken({ clocks }: Context, token: TokenInUse): Rendering {
  const now = clocks.now(token.registration?.issuer ?? '');
  return {
    schema: 'token',
    json: () => ({
      access_token: token.value.reveal(),
      token_type: 'Bearer',
      scopes: token.scopes,
      ...endJson('expires_at', token.expiresAt, now),
      source: token.source,
      registration_id: token.registration?.id ?? null,
      warnings: token.warnings,
    }),
    human: () => token.value.reveal(),
  };
}
