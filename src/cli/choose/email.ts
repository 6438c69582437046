import { normalizeEmail } from '../../protocol/email.ts';
import { missingAnswer } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { typedAgain } from '../shell/typed-again.ts';

/** The user's email address, asked for at a terminal; elsewhere `--email` is missing. */
export async function askForEmail(context: Context): Promise<string> {
  if (!context.canAsk) {
    const next = typedAgain(context, '--email', 'EMAIL');
    throw missingAnswer('The email address of the user', '--email EMAIL', next);
  }
  return context.world.ask.text('Email address of the user:', (answer) =>
    normalizeEmail(answer.trim()) === undefined ? 'That is not an email address.' : undefined,
  );
}
