import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { attemptExpiry } from './attempt-expiry.ts';
import { beforeClaim } from './before-claim.ts';
import { claimRaces } from './claim-races.ts';
import { claimStart } from './claim-start.ts';
import { claimedForGood } from './claimed-for-good.ts';
import { claimedTakeover } from './claimed-takeover.ts';
import { codeFormat } from './code-format.ts';
import { collection } from './collection.ts';
import { denial } from './denial.ts';
import { jsonComplete } from './json-complete.ts';
import { ownerRaces } from './owner-races.ts';
import { parallelLimits } from './parallel-limits.ts';
import { polling } from './polling.ts';
import { reopen } from './reopen.ts';
import { reopenByEmail } from './reopen-by-email.ts';
import { unknownClaims } from './unknown-claims.ts';
import { wholeCode } from './whole-code.ts';
import { windowExpiry } from './window-expiry.ts';
import { wrongAccount } from './wrong-account.ts';
import { wrongCodes } from './wrong-codes.ts';

/** The claim of a registration without an ID-JAG, and every way that it can end. */
export const CLAIM_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  claimStart,
  reopen,
  reopenByEmail,
  polling,
  unknownClaims,
  codeFormat,
  attemptExpiry,
  windowExpiry,
  claimedForGood,
  claimedTakeover,
  beforeClaim,
  collection,
  denial,
  wrongCodes,
  wholeCode,
  wrongAccount,
  claimRaces,
  ownerRaces,
  parallelLimits,
  jsonComplete,
];
