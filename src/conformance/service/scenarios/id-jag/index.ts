import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { accessTokenKind } from './access-token.ts';
import { idJagAudience } from './audience.ts';
import { idJagClaims } from './claims.ts';
import { idJagCodes } from './codes.ts';
import { idJagConfirmation, idJagDenial } from './confirmation.ts';
import { confirmationReopen } from './confirmation-reopen.ts';
import { confirmedScope } from './confirmed-scope.ts';
import { idJagEmails } from './emails.ts';
import { idJagHeaders } from './headers.ts';
import { idJagIssuer } from './issuer.ts';
import { idJagKeyRedirect } from './key-redirect.ts';
import { idJagKeyRotation, idJagKeys } from './keys.ts';
import { idJagKinds } from './kinds.ts';
import { idJagKnown } from './known.ts';
import { idJagMain, idJagRequest } from './main-flow.ts';
import { idJagRaces } from './races.ts';
import { idJagRenamed } from './renamed.ts';
import { idJagReplay } from './replay.ts';
import { idJagScope } from './scope.ts';
import { idJagSignInAge } from './sign-in-age.ts';
import { idJagTimes } from './times.ts';

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
