import { resumeClaim, startClaim } from '../claim/start-claim.ts';
import { claimByCode, submitCode } from '../claim/submit-code.ts';
import { waitForClaim } from '../claim/wait-for-claim.ts';
import type { Registration } from '../model.ts';
import type { ClaimOpen, ClaimOutcome } from '../outcomes.ts';
import type { ConnectOutcome, ConnectPending } from './connect-request.ts';
import { askForEmail, type ConnectRun } from './connect-run.ts';

type Claimed = Extract<ClaimOutcome, { readonly status: 'claimed' }>;

/**
 * Hands over to the user and waits, where somebody can show the code; else `claim_pending`. A code that is
 * over is replaced when that is wanted.
 */
export async function claimNow(
  run: ConnectRun,
  registration: Registration,
  isNew: boolean,
): Promise<Claimed | Exclude<ConnectOutcome, { readonly status: 'connected' }>> {
  const { tools, request, service, tell } = run;
  const { user } = request;
  const ours = { service: service.resource };
  const email = await claimer(run, registration);
  let started = await startClaim(tools, { ...ours, email });
  while (started.status === 'open') {
    // A registration of this run brought its first code along.
    started = isNew ? { ...started, resumed: false } : started;
    tell({ step: 'claim', status: 'open', open: started });
    const ended = await handOver(run, started);
    if (ended === undefined || ended.status === 'pending') {
      return { status: 'claim_pending', service, open: started } satisfies ConnectPending;
    }
    if (ended.status !== 'attempt_expired' || !(await user?.anotherCode?.())) {
      if (ended.status === 'claimed') tellClaimed(run, ended);
      return ended;
    }
    started = await startClaim(tools, { ...ours, renew: true });
  }
  if (started.status === 'claimed') tellClaimed(run, started);
  return started;
}

/** Lets the user act, by which way the code goes; `undefined` where nobody reaches them for that. */
async function handOver(
  { tools, request, service }: ConnectRun,
  open: ClaimOpen,
): Promise<ClaimOutcome | undefined> {
  const { user } = request;
  const ours = { service: service.resource };
  if (open.ceremony.kind === 'type_there') {
    return user?.claim?.(open, (onEvent) => waitForClaim(tools, { ...ours, onEvent }));
  }
  if (user?.code === undefined) return undefined;
  return claimByCode(open, {
    ask: user.code,
    submit: (code) => submitCode(tools, { ...ours, code }),
    resume: () => resumeClaim(tools, ours),
  });
}

function tellClaimed({ tell }: ConnectRun, { registration, warnings }: Claimed): void {
  tell({ step: 'claim', status: 'claimed', registration, warnings });
}

/** Whom to ask; `undefined`: whom the registration names. */
async function claimer(
  { request }: ConnectRun,
  { type, email, claim }: Registration,
): Promise<string | undefined> {
  // The email address of the other types is fixed.
  if (type !== 'anonymous') return undefined;
  if (request.email !== undefined) return request.email;
  const isKnown = email !== null || (claim !== null && claim.email !== null);
  return isKnown ? undefined : askForEmail(request);
}
