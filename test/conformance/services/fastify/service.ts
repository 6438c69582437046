import type { ServiceOptions } from '../support.ts';
import { Agents } from './agents.ts';
import type { Config } from './config.ts';
import { Issuer } from './issuer.ts';
import { Providers } from './providers.ts';
import { Users } from './users.ts';

/** What the routes work with. */
export interface Service {
  readonly config: Config;
  readonly agents: Agents;
  readonly users: Users;
  readonly issuer: Issuer;
  readonly providers: Providers;
}

export async function createService(origin: string, options: ServiceOptions): Promise<Service> {
  const config: Config = {
    issuer: origin,
    providers: options.trust ?? [],
    now: options.now ?? Date.now,
    has: (bug) => options.bug === bug,
  };
  const agents = new Agents(config);
  return {
    config,
    agents,
    users: new Users(config),
    issuer: await Issuer.create(config, agents),
    providers: new Providers(config),
  };
}
