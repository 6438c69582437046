import type { ProviderWorld } from '../../provider/provider-world.ts';
import { scenariosOf } from '../../scenario.ts';

/** Defines a scenario that judges a provider. */
export const providerScenario = scenariosOf<ProviderWorld>();
