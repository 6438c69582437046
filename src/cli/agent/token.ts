import type { TokenInUse } from '../../agent/outcomes.ts';
import { token as validToken } from '../../agent/token/token.ts';
import { openTools } from '../prompts/open-tools.ts';
import { storedService } from '../prompts/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { tokenJson } from './token-json.ts';

export interface TokenOptions {
  readonly renew?: true;
  readonly check?: true;
}

/** Prints a valid access token and nothing else. */
export async function token(context: Context, options: TokenOptions): Promise<Outcome> {
  const tools = await openTools(context);
  const inUse = await validToken(tools, {
    service: await storedService(context, tools.store),
    renew: options.renew,
    check: options.check,
  });
  for (const { message } of inUse.warnings) context.output.warn(message);
  return context.output.result(presentToken(context, inUse));
}

/** The one command, beside `provider mint`, whose result is a secret. */
function presentToken(context: Context, token: TokenInUse): Rendering {
  return {
    schema: 'token',
    json: () => ({
      access_token: token.value.reveal(),
      token_type: 'Bearer',
      ...tokenJson(context, token.registration?.issuer ?? '', token),
      source: token.source,
      registration_id: token.registration?.id ?? null,
      warnings: token.warnings,
    }),
    human: () => token.value.reveal(),
  };
}
