import type { Agent } from '../../agent/agent.ts';
import type { WaitForUser } from '../../agent/connect/connect-request.ts';
import { isSameService } from '../../agent/credentials/change-credentials.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { ClaimOpen, ClaimOutcome } from '../../agent/outcomes.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import type { Context } from '../shell/context.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { handoverOf, showHandover } from './handover-screen.ts';
import { reportWait } from './report-wait.ts';

interface ClaimWait {
  readonly agent: Agent;
  readonly store: CredentialStore;
  readonly service: string | undefined;
  readonly browser: BrowserMode;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
}

/** Shows the claim screen and polls the open attempt to its end. */
export function waitForClaim(
  context: Context,
  open: ClaimOpen,
  { agent, store, service, browser, timeout }: ClaimWait,
): Promise<ClaimOutcome> {
  const { signal } = context.interrupt;
  const wait: WaitForUser = (onEvent) => agent.waitForClaim({ service, timeout, signal, onEvent });
  return showClaim(context, open, { store, browser, wait });
}

interface ClaimShown extends Pick<ClaimWait, 'store' | 'browser'> {
  readonly wait: WaitForUser;
}

/** Shows the claim screen while `wait` runs. */
export async function showClaim(
  context: Context,
  { ceremony, registration }: ClaimOpen,
  { store, browser, wait }: ClaimShown,
): Promise<ClaimOutcome> {
  const { services } = await store.read();
  const record = services.find((each) => isSameService(each, registration));
  const handover = handoverOf(context, ceremony, {
    heading: record?.name ?? new URL(registration.resource).host,
    url: registration.resource,
    account: userOf(registration) ?? undefined,
  });
  return showHandover(context, handover, browser, (progress) => wait(reportWait(progress)));
}

/** Whether the user wants another code after one expired. No, where no user can be asked. */
export async function wantsAnotherCode({ canAsk, options, world }: Context): Promise<boolean> {
  if (options.yes) return true;
  return canAsk && world.ask.confirm('The code has expired. Get a new one?', true);
}
