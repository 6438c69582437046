import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { agentAuth, skillFile } from './agent-auth.ts';
import { challenge, hostileHeaders } from './challenge.ts';
import { grants } from './grants.ts';
import { resourceMetadata } from './resource-metadata.ts';
import { clientDocuments, serverMetadata, serviceKeys } from './server-metadata.ts';

export const DISCOVERY_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  challenge,
  resourceMetadata,
  serverMetadata,
  agentAuth,
  grants,
  serviceKeys,
  skillFile,
  hostileHeaders,
  clientDocuments,
];
