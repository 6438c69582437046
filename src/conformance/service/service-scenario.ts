import { scenariosOf } from '../engine/scenario.ts';
import type { ServiceWorld } from './service-world.ts';

/** Defines a scenario that judges a service. */
export const serviceScenario = scenariosOf<ServiceWorld>();
