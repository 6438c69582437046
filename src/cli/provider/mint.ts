import type { Minted } from '../../agent/outcomes.ts';
import { chooseAudience } from '../prompts/audience.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { absoluteUrl, chooseProvider } from '../prompts/service.ts';
import { withUser } from '../prompts/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { endJson } from '../terminal/time.ts';
import type { MintOptions } from './options.ts';

/** Mints an ID-JAG for one audience and prints nothing else. */
export async function providerMint(
  context: Context,
  url: string | undefined,
  options: MintOptions,
): Promise<Outcome> {
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const { service, scopes } = await chooseAudience(context, agent, store, options);
  const resource =
    options.resource === undefined
      ? undefined
      : absoluteUrl(options.resource, 'The resource', context.options);
  const outcome = await withUser(context, agent, 'auto', {
    audience: service,
    scopes,
    resource,
    send: () =>
      agent.providerMint({
        provider,
        audience: service.issuer,
        resource,
        scopes,
        signal: context.interrupt.signal,
      }),
  });
  if (outcome.status === 'aborted') throw new Interrupted();
  return context.output.result(presentMinted(context, outcome));
}

/** The ID-JAG alone, so that it can be piped. */
function presentMinted({ clocks }: Context, minted: Minted): Rendering {
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
