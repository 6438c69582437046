import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { errorLeaks, errorTexts } from './error-texts.ts';
import { hostileJson, malformedJson } from './hostile-json.ts';
import { longValues, oversized } from './long-values.ts';
import { mediaTypes, methods } from './media-types.ts';
import { cacheHeaders, cors, headerInjection } from './response-headers.ts';
import { smuggling, trickle } from './smuggling.ts';

export const TRANSPORT_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  methods,
  mediaTypes,
  malformedJson,
  errorTexts,
  errorLeaks,
  cacheHeaders,
  cors,
  hostileJson,
  oversized,
  longValues,
  headerInjection,
  smuggling,
  trickle,
];
