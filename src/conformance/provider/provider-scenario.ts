import { scenariosOf } from '../engine/scenario.ts';
import type { ProviderWorld } from './provider-world.ts';

/** Defines a scenario that judges a provider. */
export const providerScenario = scenariosOf<ProviderWorld>();
