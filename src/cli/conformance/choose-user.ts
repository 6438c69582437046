import { BrowserUser } from '../../conformance/user/browser-user.ts';
import { CommandUser } from '../../conformance/user/command-user.ts';
import { ManualUser } from '../../conformance/user/manual-user.ts';
import type { User, UserTerminal } from '../../conformance/user/user.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { listenForKeys, suspendJob } from '../terminal/keys.ts';
import { readCommand } from './spawn-command.ts';

export interface UserOptions {
  readonly user: 'form' | 'browser' | 'manual' | 'command';
  readonly userCommand?: string;
  readonly chromium?: string;
}

/** Prints something above the line of progress. */
export type Show = (print: () => void) => void;

/**
 * The driver of the user's part, for the whole run; undefined for `form`, of which each scenario gets a new
 * one.
 * @throws CliError (usage) when the driver cannot run here.
 */
export function chooseUser(
  context: Context,
  { user, userCommand, chromium }: UserOptions,
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
