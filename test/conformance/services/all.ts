import { startAsShown } from './as-shown.ts';
import type { Bug } from './bug.ts';
import { startDiscoveryOnly } from './discovery-only.ts';
import { startExpressDefaults } from './express-defaults.ts';
import { FASTIFY_BUGS, startFastify } from './fastify.ts';
import { MAILED_CODES_BUGS } from './mailed-codes/bugs.ts';
import { startMailedCodes } from './mailed-codes.ts';
import { startOtherNames } from './other-names.ts';
import { PYTHON_BUGS, startPython } from './python-stdlib.ts';
import { RAW_HTTP_BUGS, startRawHttp } from './raw-http.ts';
import type { RunningService, ServiceOptions } from './support.ts';
import { startTenMistakes } from './ten-mistakes.ts';
import { UNUSUAL_BUGS } from './unusual/bugs.ts';
import { startUnusual } from './unusual.ts';
import { WITH_PASSWORDS_BUGS } from './with-passwords/bugs.ts';
import { startWithPasswords } from './with-passwords.ts';

/** By the name that `serve.js` takes. */
export const SERVICES: Readonly<
  Record<string, (options: ServiceOptions) => Promise<RunningService>>
> = {
  'as-shown': startAsShown,
  'discovery-only': startDiscoveryOnly,
  'express-defaults': startExpressDefaults,
  fastify: startFastify,
  'mailed-codes': startMailedCodes,
  'other-names': startOtherNames,
  'python-stdlib': startPython,
  'raw-http': startRawHttp,
  'ten-mistakes': startTenMistakes,
  unusual: startUnusual,
  'with-passwords': startWithPasswords,
};

/** What can be switched on in each, one at a time. */
export const BUGS: Readonly<Record<string, readonly Bug[]>> = {
  fastify: FASTIFY_BUGS,
  'mailed-codes': MAILED_CODES_BUGS,
  unusual: UNUSUAL_BUGS,
  'with-passwords': WITH_PASSWORDS_BUGS,
  'python-stdlib': PYTHON_BUGS,
  'raw-http': RAW_HTTP_BUGS,
};
