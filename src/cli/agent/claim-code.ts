import type { CodeRefused } from '../../agent/outcomes.ts';
import { Secret } from '../../runtime/secret.ts';
import { openAgent } from '../choose/open-agent.ts';
import { storedService } from '../choose/service.ts';
import { ceremonyJson } from '../handover/ceremony.ts';
import { triesText } from '../handover/code-screen.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import { readFromSource } from '../shell/read-argument.ts';
import { claimFailure } from './claim-failure.ts';
import { presentClaimed } from './claim-lines.ts';
import { codeLine } from './claim-steps.ts';

/** Hands in the code that a user read on the page or in the mail. Nothing is asked, and nothing waited for. */
export async function handInCode(context: Context, given: string): Promise<Outcome> {
  const { output, interrupt } = context;
  const { signal } = interrupt;
  const code = await readCodeOption(context, given);
  const { agent, store } = await openAgent(context);
  const service = await storedService(context, store);
  const known = await agent.resumeClaim({ service, signal });
  // Called again after success: still success.
  if (known.status === 'already_claimed') {
    output.result(presentClaimed(context, known.registration, known.registration.token));
    return 'done';
  }
  const outcome = await agent.submitCode({ code, service, signal });
  switch (outcome.status) {
    case 'claimed': {
      const { registration, token, warnings } = outcome;
      for (const { message } of warnings) output.warn(message);
      output.result(presentClaimed(context, registration, token, warnings));
      return 'done';
    }
    case 'not_confirmed':
    case 'wrong_code':
      throw codeRefused(context, outcome);
    default:
      throw claimFailure(context, outcome.status, outcome.registration);
  }
}

async function readCodeOption(context: Context, given: string): Promise<Secret> {
  if (given !== '-') return new Secret(given);
  const text = (await readFromSource(context, given)).toString('utf8').trim();
  if (text === '') throw usageError('No code came on stdin.');
  return new Secret(text);
}

/** A code that was not taken. The claim is open still, unless that was the last try. */
function codeRefused(context: Context, refused: CodeRefused): CliError {
  const { registration, ceremony } = refused;
  const details = {
    registration_id: registration.id,
    claim: ceremonyJson(context, registration.issuer, ceremony),
  };
  if (refused.status === 'not_confirmed') {
    return new CliError('pending', {
      code: 'claim_not_confirmed',
      message: 'The user has not confirmed on the page yet.',
      hint: 'Have them sign in there and confirm; then hand in the same code again.',
      next: codeLine(context),
      details,
    });
  }
  const { attemptsRemaining: left } = refused;
  const isOver = left === 0;
  return new CliError(isOver ? 'expired' : 'refused', {
    code: 'invalid_user_code',
    message: isOver
      ? 'That is not the code, and there are no tries left.'
      : `That is not the code.${triesText(left)}`,
    hint: isOver ? 'Get the user another code.' : 'Ask the user to read it again.',
    next: isOver ? nextLine(context, 'claim') : codeLine(context),
    details: { ...details, attempts_remaining: left ?? null },
  });
}
