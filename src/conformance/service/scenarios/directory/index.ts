import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { directoryCatalog } from './catalog.ts';
import { directoryGuarded } from './guarded.ts';
import { directoryJsonp } from './jsonp.ts';
import { directoryListing } from './listing.ts';
import { directoryRequests } from './requests.ts';
import { directorySiblings } from './siblings.ts';
import { directoryXml } from './xml.ts';

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
