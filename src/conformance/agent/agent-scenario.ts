import { scenariosOf } from '../engine/scenario.ts';
import type { AgentWorld } from './agent-world.ts';

/** Defines a scenario that judges an agent. */
export const agentScenario = scenariosOf<AgentWorld>();
