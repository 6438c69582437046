import { deniedAccess, moreScope, oldSignIn, plainHttp } from './again.ts';
import { bareResource, connect, endedToken, otherServer } from './flow.ts';
import { noPkce, wrongIdJag, wrongIdToken, wrongIssuer, wrongRedirect } from './refusals.ts';

export const CROSS_APP_SCENARIOS = [
  connect,
  bareResource,
  wrongIssuer,
  noPkce,
  wrongRedirect,
  wrongIdToken,
  wrongIdJag,
  oldSignIn,
  deniedAccess,
  moreScope,
  endedToken,
  otherServer,
  plainHttp,
] as const;
