import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { claimStart } from './claim-start.ts';
import { beforeClaim, claimedForGood, claimedTakeover } from './claimed.ts';
import { codeFormat } from './code-format.ts';
import { collection, denial, jsonComplete } from './completion.ts';
import { attemptExpiry, windowExpiry } from './expiry.ts';
import { parallelLimits } from './parallel-limits.ts';
import { polling } from './polling.ts';
import { claimRaces, ownerRaces } from './races.ts';
import { reopen, reopenByEmail } from './reopen.ts';
import { unknownClaims } from './unknown-claims.ts';
import { wrongAccount } from './wrong-account.ts';
import { wholeCode, wrongCodes } from './wrong-codes.ts';

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
