import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { anonymous } from './anonymous.ts';
import { attemptExpiry } from './attempt-expiry.ts';
import { claimRaces } from './claim-races.ts';
import { claimStart } from './claim-start.ts';
import { claimedForGood } from './claimed-for-good.ts';
import { codeFormat } from './code-format.ts';
import { collection } from './collection.ts';
import { denial } from './denial.ts';
import { enumeration } from './enumeration.ts';
import { jsonComplete } from './json-complete.ts';
import { jsonRefusals } from './json-refusals.ts';
import { loginHints } from './login-hints.ts';
import { polling } from './polling.ts';
import { registrationAnswers } from './registration-answers.ts';
import { registrationTypes } from './registration-types.ts';
import { reopen } from './reopen.ts';
import { reopenByEmail } from './reopen-by-email.ts';
import { serviceAuth } from './service-auth.ts';
import { unknownClaims } from './unknown-claims.ts';
import { windowExpiry } from './window-expiry.ts';
import { wrongAccount } from './wrong-account.ts';
import { wrongCodes } from './wrong-codes.ts';

/** Registrations without an ID-JAG, and every way that their claim can go. */
export const REGISTRATION_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  anonymous,
  serviceAuth,
  registrationAnswers,
  registrationTypes,
  loginHints,
  enumeration,
  claimStart,
  reopen,
  reopenByEmail,
  polling,
  unknownClaims,
  codeFormat,
  attemptExpiry,
  windowExpiry,
  claimedForGood,
  collection,
  denial,
  wrongCodes,
  wrongAccount,
  claimRaces,
  jsonComplete,
  jsonRefusals,
];
