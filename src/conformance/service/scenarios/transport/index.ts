import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { cacheHeaders } from './cache-headers.ts';
import { cors } from './cors.ts';
import { errorLeaks } from './error-leaks.ts';
import { errorTexts } from './error-texts.ts';
import { headerInjection } from './header-injection.ts';
import { hostileJson } from './hostile-json.ts';
import { longValues } from './long-values.ts';
import { malformedJson } from './malformed-json.ts';
import { mediaTypes } from './media-types.ts';
import { methods } from './methods.ts';
import { oversized } from './oversized.ts';
import { smuggling } from './smuggling.ts';
import { trickle } from './trickle.ts';

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
