import { scenariosOf } from '../../scenario.ts';
import type { ServiceWorld } from '../../service/service-world.ts';

/** Defines a scenario that judges a service. */
export const serviceScenario = scenariosOf<ServiceWorld>();
