import { startAsShown } from './as-shown.ts';
import type { Bug } from './bug.ts';
import { CROSS_APP_BUGS } from './cross-app/bugs.ts';
import { startCrossApp } from './cross-app.ts';
import { EXPRESS_DEFAULTS_BUGS, startExpressDefaults } from './express-defaults.ts';
import { MAILED_CODES_BUGS } from './mailed-codes/bugs.ts';
import { startMailedCodes } from './mailed-codes.ts';
import { PYTHON_BUGS, startPython } from './python-stdlib.ts';
import { RAW_HTTP_BUGS, startRawHttp } from './raw-http.ts';
import type { RunningService, ServiceOptions } from './support.ts';
import { UNUSUAL_BUGS } from './unusual/bugs.ts';
import { startUnusual } from './unusual.ts';

/** By the name that `serve.js` takes. */
export const SERVICES: Readonly<
  Record<string, (options: ServiceOptions) => Promise<RunningService>>
> = {
  'as-shown': startAsShown,
  'cross-app': startCrossApp,
  'express-defaults': startExpressDefaults,
  'mailed-codes': startMailedCodes,
  'python-stdlib': startPython,
  'raw-http': startRawHttp,
  unusual: startUnusual,
};

/** What can be switched on in each, one at a time. */
export const BUGS: Readonly<Record<string, readonly Bug[]>> = {
  'cross-app': CROSS_APP_BUGS,
  'mailed-codes': MAILED_CODES_BUGS,
  unusual: UNUSUAL_BUGS,
  'express-defaults': EXPRESS_DEFAULTS_BUGS,
  'python-stdlib': PYTHON_BUGS,
  'raw-http': RAW_HTTP_BUGS,
};
