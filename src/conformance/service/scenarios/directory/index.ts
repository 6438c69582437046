import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { directoryCatalog, directorySiblings } from './catalog.ts';
import { directoryJsonp, directoryXml } from './formats.ts';
import { directoryListing } from './listing.ts';
import { directoryGuarded, directoryRequests } from './requests.ts';

/** The service directory, where a service has one. */
export const DIRECTORY_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  directoryListing,
  directoryCatalog,
  directoryXml,
  directoryJsonp,
  directoryRequests,
  directorySiblings,
  directoryGuarded,
];
