import type { Agent } from '../../agent/agent.ts';
import { claimByCode } from '../../agent/claim/submit-code.ts';
import type { WaitForUser } from '../../agent/connect/connect-request.ts';
import type { CredentialStore } from '../../agent/credentials/store.ts';
import type {
  ClaimOpen,
  ClaimOutcome,
  SubmitCodeOutcome,
  WaitEvent,
} from '../../agent/outcomes.ts';
import { describeDuration } from '../../protocol/durations.ts';
import type { Secret } from '../../runtime/secret.ts';
import type { Context } from '../shell/context.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { codeAsker } from './code-screen.ts';
import { type HandoverProgress, handoverOf, showHandover } from './handover-screen.ts';
import { claimOwner } from './user-page.ts';

interface ClaimWait {
  readonly agent: Agent;
  readonly store: CredentialStore;
  readonly service: string | undefined;
  readonly browser: BrowserMode;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
}

/** Shows the claim screen and polls the open attempt to its end; a code that is read back is asked for. */
export function waitForClaim(
  context: Context,
  open: ClaimOpen,
  given: ClaimWait,
): Promise<ClaimOutcome> {
  if (open.ceremony.kind === 'read_back') return waitForCode(context, open, given);
  const { agent, store, service, browser, timeout } = given;
  const { signal } = context.interrupt;
  const wait: WaitForUser = (onEvent) => agent.waitForClaim({ service, timeout, signal, onEvent });
  return showClaim(context, open, { store, browser, wait });
}

/** Asks the user at this terminal for the code. Ctrl-C keeps the claim. */
async function waitForCode(
  context: Context,
  open: ClaimOpen,
  { agent, store, service, browser, timeout }: ClaimWait,
): Promise<ClaimOutcome> {
  const { output } = context;
  const { signal } = context.interrupt;
  const submit = async (code: Secret): Promise<SubmitCodeOutcome> => {
    const outcome = await agent.submitCode({ code, service, signal });
    if (outcome.status === 'wrong_code' && outcome.attemptsRemaining === 0) {
      output.say('That is not the code, and there are no tries left.');
    }
    return outcome;
  };
  try {
    return await claimByCode(open, {
      ask: codeAsker(context, { store, browser, timeout }),
      submit,
      resume: () => agent.resumeClaim({ service, signal }),
    });
  } catch (error) {
    if (!(error instanceof Interrupted) && !signal.aborted) throw error;
    return { status: 'aborted', registration: open.registration };
  }
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
  // A code that is read back is not waited for: the agent says so.
  if (ceremony.kind === 'read_back') return wait();
  const owner = claimOwner(await store.read(), registration);
  const handover = handoverOf(context, ceremony, owner);
  return showHandover(context, handover, browser, (progress) => wait(reportWait(progress)));
}

/** Whether the user wants another code after one expired. No, where no user can be asked. */
export async function wantsAnotherCode({ canAsk, options, world }: Context): Promise<boolean> {
  if (options.yes) return true;
  return canAsk && world.ask.confirm('The code has expired. Get a new one?', true);
}

/** Reports what happens during the wait on the screen; a lost connection is reported once. */
export function reportWait(progress: HandoverProgress): (event: WaitEvent) => void {
  let isLost = false;
  let previous: WaitEvent['type'] | undefined;
  return (event) => {
    if (event.type === 'trouble' && !isLost) {
      isLost = true;
      const what =
        event.status === null ? 'No answer from the server' : `The server answered ${event.status}`;
      const wait = describeDuration(event.nextPollIn);
      progress.note(`${what}; trying again in ${wait}.`);
    } else if (event.type === 'waiting') {
      progress.timeLeft(event.remaining);
      // A `waiting` right after `trouble` is the pause before the next try: no answer has come yet.
      if (isLost && previous !== 'trouble') {
        isLost = false;
        progress.note('The server answers again.');
      }
    }
    previous = event.type;
  };
}
