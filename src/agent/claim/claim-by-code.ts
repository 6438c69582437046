import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import type {
  ClaimOpen,
  ClaimOutcome,
  CodeRefused,
  ResumeClaimOutcome,
  SubmitCodeOutcome,
} from '../outcomes.ts';
import type { AskForCode } from '../requests.ts';
import { noClaim } from './no-claim.ts';

interface ByCode {
  readonly ask: AskForCode;
  readonly submit: (code: Secret) => Promise<SubmitCodeOutcome>;
  /** What is stored of the claim, by the server's time. */
  readonly resume: () => Promise<ResumeClaimOutcome>;
}

/** Asks for the code and hands it in, until the claim or its attempt has ended, or nobody has a code. */
export async function claimByCode(
  open: ClaimOpen,
  { ask, submit, resume }: ByCode,
): Promise<ClaimOutcome> {
  let shown = open;
  let refused: CodeRefused | undefined;
  try {
    for (;;) {
      const code = await ask(shown, refused);
      if (code === undefined) return standing(await resume());
      const outcome = await submit(code);
      if (outcome.status !== 'not_confirmed' && outcome.status !== 'wrong_code') return outcome;
      const { registration, ceremony } = outcome;
      const isLast = outcome.status === 'wrong_code' && outcome.attemptsRemaining === 0;
      if (isLast) return { status: 'attempt_expired', registration };
      refused = outcome;
      shown = { ...shown, registration, ceremony };
    }
  } catch (error) {
    // Wherever the signal comes, it ends the wait and not the claim.
    if (!(error instanceof AgentError) || error.code !== 'aborted') throw error;
    return { status: 'aborted', registration: shown.registration };
  }
}

/** Nobody has a code: the claim waits on, or has ended meanwhile. */
function standing(known: ResumeClaimOutcome): ClaimOutcome {
  const { registration } = known;
  switch (known.status) {
    case 'open':
      return { status: 'pending', registration, ceremony: known.ceremony };
    case 'already_claimed': {
      const { token } = registration;
      if (token === null) throw noClaim(registration);
      return { status: 'claimed', registration, token, warnings: [] };
    }
    case 'not_started':
      return { status: 'attempt_expired', registration };
    default:
      return { status: known.status, registration };
  }
}
