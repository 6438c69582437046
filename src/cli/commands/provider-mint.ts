import { type AudienceOptions, chooseAudience } from '../choose-audience.ts';
import { chooseProvider } from '../choose-service.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import { Interrupted } from '../interrupted.ts';
import { openAgent } from '../open-agent.ts';
import { presentMinted } from '../presenters/provider-mint.ts';
import { serviceAddress } from '../service-address.ts';
import { withUser } from '../with-user.ts';

export interface ProviderMintOptions extends AudienceOptions {
  readonly resource?: string;
}

/** Mints an ID-JAG for one audience and prints it alone. */
export async function providerMint(
  context: Context,
  url: string | undefined,
  options: ProviderMintOptions,
): Promise<Outcome> {
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const { service, scopes } = await chooseAudience(context, agent, store, options);
  const resource =
    options.resource === undefined ? undefined : serviceAddress(options.resource, 'The resource');
  const outcome = await withUser(context, agent, 'auto', {
    audience: service,
    scopes,
    resource,
    attempt: () =>
      agent.providerMint({
        provider,
        audience: service.issuer,
        resource,
        scopes,
        signal: context.interrupt.signal,
      }),
  });
  if (outcome.status === 'aborted') throw new Interrupted();
  context.output.result(presentMinted(context, outcome));
  return 'done';
}
