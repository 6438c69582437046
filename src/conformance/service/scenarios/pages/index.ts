import type { Scenario } from '../../../engine/scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { claimPage } from './claim-page.ts';
import { completionForgery } from './completion-forgery.ts';
import { connections } from './connections.ts';
import { mailedSignIn } from './mailed-sign-in.ts';
import { agentNames, providerName } from './names.ts';
import { pageHeaders } from './page-headers.ts';
import { pageInjection } from './page-injection.ts';
import { passwordSignIn } from './password-sign-in.ts';
import { plantedSession, readableSession, sessionIds } from './sessions.ts';
import { signInForgery, signInRedirects } from './sign-in-redirects.ts';
import { signOut } from './sign-out.ts';

/** What the user of a service sees, and what others could make of it. */
export const PAGES_SCENARIOS: readonly Scenario<ServiceWorld>[] = [
  claimPage,
  providerName,
  pageHeaders,
  sessionIds,
  plantedSession,
  readableSession,
  signInRedirects,
  signInForgery,
  mailedSignIn,
  passwordSignIn,
  completionForgery,
  pageInjection,
  agentNames,
  signOut,
  connections,
];
