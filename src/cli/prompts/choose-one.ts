import { type UsageCode, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import type { Choice } from '../terminal/ask.ts';

interface OneOf {
  /** `Which service?` */
  readonly question: string;
  readonly choices: readonly Choice[];
  /** Stable, `snake_case`: of the error where no user can be asked. */
  readonly code: UsageCode;
  /** Why there is a choice, as a sentence. */
  readonly message: string;
  /** The flag or argument that answers: `--service`. */
  readonly flag: string;
  /** Where the values alone do not tell them apart. Default: the flag and the values. */
  readonly hint?: string | undefined;
  readonly next?: Next | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Asks for one of several with a list at a terminal.
 * @throws CliError (usage) where no user can be asked: it names the choices and the flag that answers.
 */
export async function chooseOne(context: Context, one: OneOf): Promise<string> {
  const { question, choices, code, message, flag, hint, next, details } = one;
  if (context.canAsk) return context.world.ask.select(question, choices);
  const values = choices.map(({ value }) => value);
  throw usageError(message, {
    code,
    hint: hint ?? `Name one with ${flag}: ${values.join(', ')}`,
    next,
    details: { choices: values, ...details },
  });
}
