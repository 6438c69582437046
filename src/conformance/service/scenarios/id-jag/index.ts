import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { idJagAudience, idJagClaims } from './claims.ts';
import {
  confirmationReopen,
  confirmedScope,
  idJagConfirmation,
  idJagDenial,
} from './confirmation.ts';
import { idJagEmails } from './emails.ts';
import { idJagHeaders, idJagKinds } from './headers.ts';
import { idJagIssuer, idJagKeyRedirect } from './issuer.ts';
import { idJagKeyRotation, idJagKeys } from './keys.ts';
import { idJagKnown, idJagRenamed } from './known.ts';
import { idJagCodes, idJagMain, idJagRequest } from './main-flow.ts';
import { idJagRaces, idJagReplay } from './replay.ts';
import { accessTokenKind, idJagScope } from './scope.ts';
import { idJagSignInAge, idJagTimes } from './times.ts';

export const ID_JAG_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  idJagMain,
  idJagRequest,
  accessTokenKind,
  idJagKnown,
  idJagScope,
  idJagConfirmation,
  idJagDenial,
  confirmationReopen,
  confirmedScope,
  idJagRenamed,
  idJagEmails,
  idJagSignInAge,
  idJagClaims,
  idJagAudience,
  idJagTimes,
  idJagIssuer,
  idJagCodes,
  idJagReplay,
  idJagRaces,
  idJagKinds,
  idJagHeaders,
  idJagKeys,
  idJagKeyRotation,
  idJagKeyRedirect,
];
