import type { AgentWorld } from '../../agent/agent-world.ts';
import { scenariosOf } from '../../scenario.ts';

/** Defines a scenario that judges an agent. */
export const agentScenario = scenariosOf<AgentWorld>();
