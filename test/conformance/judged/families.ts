import type { Scenario } from '../../../src/conformance/index.ts';
import {
  CLAIM_SCENARIOS,
  DIRECTORY_SCENARIOS,
  DISCOVERY_SCENARIOS,
  EMA_SCENARIOS,
  EVENTS_SCENARIOS,
  ID_JAG_SCENARIOS,
  PAGES_SCENARIOS,
  REGISTRATION_SCENARIOS,
  TOKEN_SCENARIOS,
  TRANSPORT_SCENARIOS,
} from '../../../src/conformance/service/scenarios/index.ts';
import type { ServiceWorld } from '../../../src/conformance/service/service-world.ts';

const FAMILIES: readonly (readonly Scenario<ServiceWorld>[])[] = [
  CLAIM_SCENARIOS,
  DIRECTORY_SCENARIOS,
  DISCOVERY_SCENARIOS,
  EMA_SCENARIOS,
  EVENTS_SCENARIOS,
  ID_JAG_SCENARIOS,
  PAGES_SCENARIOS,
  REGISTRATION_SCENARIOS,
  TOKEN_SCENARIOS,
  TRANSPORT_SCENARIOS,
];

/** Every scenario of the family in which a check is. @throws Error where none has it. */
export function familyOf(check: string): readonly Scenario<ServiceWorld>[] {
  const [scenario] = check.split('.');
  const family = FAMILIES.find((each) => each.some(({ id }) => id === scenario));
  if (family === undefined) throw new Error(`no scenario of a service has ${check}`);
  return family;
}
