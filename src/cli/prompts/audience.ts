import type { Agent } from '../../agent/agent.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { Service } from '../../agent/model.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { absoluteUrl, chooseService, namedService, serviceChoice } from './service.ts';

interface AudienceOptions {
  readonly audience?: string;
  readonly scope?: string;
}

/** The service that an ID-JAG is for, and its scopes. */
export interface Audience {
  readonly service: Pick<Service, 'issuer' | 'name'>;
  readonly scopes: readonly string[] | undefined;
}

/**
 * The issuer of the audience that was given, or of the service in use. That of a stored service is
 * known without a request; the service may be unreachable.
 */
export async function chooseAudienceIssuer(
  context: Context,
  agent: Agent,
  store: CredentialStore,
  audience: string | undefined,
): Promise<string> {
  if (audience !== undefined) return absoluteUrl(audience, 'The audience', context.options);
  const url = await chooseKnown(context, store);
  const { services } = await store.read();
  const named = withoutFinalSlash(url);
  const stored = services.find(({ issuer, resource }) =>
    [issuer, resource].some((each) => withoutFinalSlash(each) === named),
  );
  if (stored !== undefined) return stored.issuer;
  const { service } = await agent.discover({ address: url }, { signal: context.interrupt.signal });
  return service.issuer;
}

/**
 * The audience that was given, word for word: it is an identifier. Without one the service in use,
 * whose metadata names its issuer.
 */
export async function chooseAudience(
  context: Context,
  agent: Agent,
  store: CredentialStore,
  { audience, scope }: AudienceOptions,
): Promise<Audience> {
  const scopes = scope?.split(/\s+/).filter((each) => each !== '');
  if (scopes !== undefined && scopes.length === 0) throw usageError('--scope is empty.');
  if (audience !== undefined) {
    const issuer = absoluteUrl(audience, 'The audience', context.options);
    return { service: { issuer, name: undefined }, scopes };
  }
  const url = await chooseKnown(context, store);
  const { service } = await agent.discover({ address: url }, { signal: context.interrupt.signal });
  return { service, scopes: scopes ?? (service.scopes.length === 0 ? undefined : service.scopes) };
}

/**
 * The service in use. Where several are stored, the user at a terminal is asked: to whom they are
 * identified should not depend on what was done last.
 */
async function chooseKnown(context: Context, store: CredentialStore): Promise<string> {
  if (context.canAsk && namedService(context, undefined) === undefined) {
    const { services, lastService } = await store.read();
    const [first, ...rest] = [
      ...services.filter(({ resource }) => resource === lastService),
      ...services.filter(({ resource }) => resource !== lastService),
    ].map(serviceChoice);
    if (first !== undefined && rest.length > 0) {
      return context.world.ask.select('For which service?', [first, ...rest]);
    }
  }
  return chooseService(context, store, undefined);
}
