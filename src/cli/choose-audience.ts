import type { Agent } from '../agent/agent.ts';
import type { CredentialStore } from '../agent/credentials/store.ts';
import type { Service } from '../agent/model.ts';
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
