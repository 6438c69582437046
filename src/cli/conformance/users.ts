import { readAccounts } from '../../conformance/user/read-accounts.ts';
import type { AccountsGiven } from '../../conformance/user/users-of.ts';
import { displayText } from '../../protocol/text.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { readNamedFile } from '../shell/read-named-file.ts';
import { ownCommand } from './spawn-command.ts';

export interface AccountOptions {
  readonly email?: readonly string[];
  readonly accounts?: string;
  readonly mailCommand?: string;
}

/** How long `--mail-command` may take for one answer. Milliseconds. */
const MAIL_TIMEOUT = 30_000;

/** What a run knows of its users. */
interface GivenUsers {
  readonly accounts?: AccountsGiven;
  readonly readMail?: (email: string) => Promise<string>;
}

/** The users of a run, and how their mails are read. @throws CliError (usage) */
export async function usersGiven(context: Context, options: AccountOptions): Promise<GivenUsers> {
  const { mailCommand } = options;
  const accounts = await accountsGiven(context, options);
  const newest =
    mailCommand === undefined
      ? undefined
      : ownCommand(context, '--mail-command', mailCommand, MAIL_TIMEOUT);
  return {
    ...(accounts && { accounts }),
    ...(newest && { readMail: (to) => newest({ schema: 'agent-auth.mail-command/1', to }) }),
  };
}

async function accountsGiven(
  { interrupt }: Context,
  { accounts, email }: AccountOptions,
): Promise<AccountsGiven | undefined> {
  if (accounts !== undefined && email !== undefined) {
    throw usageError('--accounts lists the users; leave --email out.', { code: 'options_clash' });
  }
  if (accounts !== undefined) {
    const text = (await readNamedFile(accounts, interrupt.signal, '--accounts')).toString('utf8');
    return { all: parse(accounts, text), option: '--accounts' };
  }
  const [first, ...others] = (email ?? []).map((each) => ({ email: each }));
  return first && { all: [first, ...others], option: '--email' };
}

function parse(path: string, text: string): AccountsGiven['all'] {
  try {
    return readAccounts(text);
  } catch (error) {
    const why = error instanceof TypeError ? error.message : 'it is not understood.';
    throw usageError(`The file ${path} of --accounts cannot be used: ${displayText(why)}`, {
      code: 'bad_accounts',
      hint: 'It is a list of entries with email, and perhaps password and notes.',
    });
  }
}
