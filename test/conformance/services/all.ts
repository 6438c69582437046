import { startAsShown } from './as-shown.ts';
import { startDiscoveryOnly } from './discovery-only.ts';
import { startExpressDefaults } from './express-defaults.ts';
import { startOtherNames } from './other-names.ts';
import type { RunningService, ServiceOptions } from './support.ts';
import { startTenMistakes } from './ten-mistakes.ts';

/** By the name that `serve.js` takes. */
export const SERVICES: Readonly<
  Record<string, (options: ServiceOptions) => Promise<RunningService>>
> = {
  'as-shown': startAsShown,
  'discovery-only': startDiscoveryOnly,
  'express-defaults': startExpressDefaults,
  'other-names': startOtherNames,
  'ten-mistakes': startTenMistakes,
};
