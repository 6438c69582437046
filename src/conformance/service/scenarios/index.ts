import type { Scenario } from '../../engine/scenario.ts';
import type { ServiceWorld } from '../service-world.ts';
import { CLAIM_SCENARIOS } from './claim/index.ts';
import { DIRECTORY_SCENARIOS } from './directory/index.ts';
import { DISCOVERY_SCENARIOS } from './discovery/index.ts';
import { EMA_SCENARIOS } from './ema/index.ts';
import { EVENTS_SCENARIOS } from './events/index.ts';
import { ID_JAG_SCENARIOS } from './id-jag/index.ts';
import { PAGES_SCENARIOS } from './pages/index.ts';
import { REGISTRATION_SCENARIOS } from './registration/index.ts';
import { staysUp } from './stays-up.ts';
import { TOKEN_SCENARIOS } from './token/index.ts';
import { TRANSPORT_SCENARIOS } from './transport/index.ts';

/** Every scenario of the service, in the order in which an implementer builds: what is missing shows first. */
export const SERVICE_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  ...DISCOVERY_SCENARIOS,
  ...TRANSPORT_SCENARIOS,
  ...TOKEN_SCENARIOS,
  ...REGISTRATION_SCENARIOS,
  ...CLAIM_SCENARIOS,
  ...ID_JAG_SCENARIOS,
  ...EVENTS_SCENARIOS,
  ...PAGES_SCENARIOS,
  ...DIRECTORY_SCENARIOS,
  ...EMA_SCENARIOS,
  staysUp,
];
