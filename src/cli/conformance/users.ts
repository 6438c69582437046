import { readAccounts } from '../../conformance/user/accounts.ts';
import { BrowserUser } from '../../conformance/user/browser-user.ts';
import { CommandUser } from '../../conformance/user/command-user.ts';
import { ManualUser } from '../../conformance/user/manual-user.ts';
import type { User, UserTerminal } from '../../conformance/user/user.ts';
import type { AccountsGiven } from '../../conformance/user/users-of.ts';
import { displayText } from '../../protocol/text.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { readNamedFile } from '../shell/read-named-file.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { listenForKeys, suspendJob } from '../terminal/keys.ts';
import type { TargetOptions } from './options.ts';
import { ownCommand, readCommand } from './spawn-command.ts';

type AccountOptions = Pick<TargetOptions, 'email' | 'accounts' | 'mailCommand'>;

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

/** Prints something above the line of progress. */
type Show = (print: () => void) => void;

/**
 * The driver of the user's part, for the whole run; undefined for `form`, of which each scenario gets a new
 * one.
 * @throws CliError (usage) when the driver cannot run here.
 */
export function chooseUser(
  context: Context,
  { user, userCommand, chromium }: Pick<TargetOptions, 'user' | 'userCommand' | 'chromium'>,
): ((show: Show) => User) | undefined {
  const { interrupt, world } = context;
  const { source: env } = world.environment;
  if ((user === 'command') !== (userCommand !== undefined)) {
    throw usageError('--user command and --user-command CMD belong together.', {
      code: 'options_clash',
    });
  }
  switch (user) {
    case 'form':
      return undefined;
    case 'command': {
      const command = readCommand(context, userCommand ?? '', '--user-command');
      return () => new CommandUser({ command, env, signal: interrupt.signal });
    }
    case 'browser':
      return () =>
        new BrowserUser({
          searchPath: env['PATH'] ?? '',
          executable: chromium,
          // Chromium refuses to start as root with its sandbox.
          flags: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
        });
    case 'manual':
      if (!context.canAsk || !context.output.interactive) {
        throw usageError('--user manual needs a terminal and a user at it.', {
          code: 'answer_missing',
          hint: 'Use --user form or --user command instead.',
        });
      }
      return (show) => new ManualUser({ terminal: terminalAt(context, show) });
  }
}

/** The terminal and the user at it. */
function terminalAt({ interrupt, output, world }: Context, show: Show): UserTerminal {
  return {
    show: (lines) => show(() => output.say(`\n${lines.join('\n')}\n`)),
    done: async (within) => {
      const ended = new AbortController();
      let pressed = false;
      const stop = listenForKeys(world.streams.stdin, (key) => {
        if (key === 'interrupt') interrupt.abort(new Interrupted());
        if (key === 'suspend') suspendJob(world.streams);
        if (key !== 'enter') return;
        pressed = true;
        ended.abort();
      });
      try {
        await world.sleep(within, AbortSignal.any([ended.signal, interrupt.signal]));
      } catch (error) {
        if (!pressed) throw error;
      } finally {
        stop();
      }
      return pressed;
    },
  };
}
