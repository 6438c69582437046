import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { IdentityType } from '../../protocol/constants.ts';
import { normalizeEmail } from '../../protocol/email.ts';
import { missingAnswer } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { typedAgain } from '../shell/next-line.ts';
import { chooseOne } from './choose-one.ts';
import { chooseProvider } from './service.ts';

export interface ChosenType {
  readonly type: IdentityType;
  /** The provider: with `identity_assertion`. */
  readonly provider?: string;
}

const MEANINGS: Readonly<Record<IdentityType, string>> = {
  anonymous: 'without a user',
  service_auth: 'for a user, named by email address',
  identity_assertion: 'for a user who is signed in at a provider',
};

/**
 * The type of a registration that no option implies, and a provider for it.
 * @throws CliError (usage) where no user can be asked, or no provider is known.
 */
export async function chooseType(
  context: Context,
  store: CredentialStore,
  offered: readonly IdentityType[],
): Promise<ChosenType> {
  const given = offered.includes('service_auth') ? ['--email', 'EMAIL'] : ['--provider', 'URL'];
  const chosen = await chooseOne(context, {
    question: 'Which type of registration?',
    choices: offered.map((value) => ({ value, name: `${value}, ${MEANINGS[value]}` })),
    code: 'type_missing',
    message: 'No type of registration was given, and the service does not offer anonymous.',
    flag: '--type',
    next: typedAgain(context, ...given),
  });
  const type = offered.find((each) => each === chosen) ?? 'anonymous';
  if (type !== 'identity_assertion') return { type };
  return { type, provider: await chooseProvider(context, store, undefined) };
}

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
