import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { agentAuth } from './agent-auth.ts';
import { challenge } from './challenge.ts';
import { clientDocuments } from './client-documents.ts';
import { grants } from './grants.ts';
import { hostileHeaders } from './hostile-headers.ts';
import { resourceMetadata } from './resource-metadata.ts';
import { serverMetadata } from './server-metadata.ts';
import { serviceKeys } from './service-keys.ts';
import { skillFile } from './skill-file.ts';

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
