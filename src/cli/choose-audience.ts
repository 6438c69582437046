import type { Agent } from '../agent/agent.ts';
import type { CredentialStore } from '../agent/credentials/store.ts';
import type { Service } from '../agent/model.ts';
import { withoutFinalSlash } from '../protocol/addresses.ts';
import { chooseService } from './choose-service.ts';
import { usageError } from './cli-error.ts';
import type { Context } from './context.ts';
import { serviceAddress } from './service-address.ts';

export interface AudienceOptions {
  readonly audience?: string;
  readonly scope?: string;
}

/** For whom an ID-JAG is meant, and with which scopes. */
export interface Audience {
  readonly service: Pick<Service, 'issuer' | 'name'>;
  readonly scopes: readonly string[] | undefined;
}

/**
 * The issuer of the audience that was given, or of the service in use. One that is stored is known
 * without asking the service, which may be away.
 */
export async function chooseAudienceIssuer(
  context: Context,
  agent: Agent,
  store: CredentialStore,
  audience: string | undefined,
): Promise<string> {
  if (audience !== undefined) return serviceAddress(audience, 'The audience');
  const address = await chooseService(context, store, undefined);
  const { services } = await store.read();
  const named = withoutFinalSlash(address);
  const stored = services.find(({ issuer, resource }) =>
    [issuer, resource].some((each) => withoutFinalSlash(each) === named),
  );
  if (stored !== undefined) return stored.issuer;
  const { service } = await agent.discover({ address }, { signal: context.interrupt.signal });
  return service.issuer;
}

/**
 * The audience that was given, word for word: it is an identifier. Without one the service in use,
 * whose metadata says how it calls itself.
 */
export async function chooseAudience(
  context: Context,
  agent: Agent,
  store: CredentialStore,
  { audience, scope }: AudienceOptions,
): Promise<Audience> {
  const scopes = scope?.split(/\s+/).filter((each) => each !== '');
  if (scopes !== undefined && scopes.length === 0) throw usageError('--scope names no scope.');
  if (audience !== undefined) {
    const issuer = serviceAddress(audience, 'The audience');
    return { service: { issuer, name: undefined }, scopes };
  }
  const address = await chooseService(context, store, undefined);
  const { service } = await agent.discover({ address }, { signal: context.interrupt.signal });
  return { service, scopes: scopes ?? (service.scopes.length === 0 ? undefined : service.scopes) };
}
