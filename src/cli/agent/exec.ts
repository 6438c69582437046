import { displayText } from '../../protocol/text.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { storedService } from '../prompts/service.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { type Ending, EXEC_EXIT_CODES } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import { reasonOfCode } from '../shell/system-reason.ts';
import type { ChildEnd, CommandLine } from '../terminal/child.ts';
import { Interrupted } from '../terminal/interrupted.ts';

export interface ExecOptions {
  readonly renew?: true;
}

/** Runs a command that finds the token in its environment. Its exit code becomes ours. */
export async function exec(
  context: Context,
  words: readonly string[],
  options: ExecOptions,
): Promise<Ending> {
  const { interrupt, world } = context;
  const [command, ...args] = commandLine(context.argv, words);
  const { agent, store } = await openAgent(context);
  const named = await storedService(context, store);
  const token = await agent.token({
    service: named,
    renew: options.renew,
    // The command may run for long: what is left counts by the server's clock now.
    check: true,
    signal: interrupt.signal,
  });
  for (const { message } of token.warnings) context.output.warn(message);
  const service = token.registration?.resource ?? named;
  if (interrupt.signal.aborted) throw new Interrupted();

  const child = world.startChild([command, ...args], {
    ...world.environment.source,
    AGENT_AUTH_TOKEN: token.value.reveal(),
    // Left out: it is sent as a bearer token.
    ...(token.header !== undefined && { AGENT_AUTH_TOKEN_HEADER: token.header }),
    // Without a final slash: a command writes its path behind it.
    ...(service !== undefined && { AGENT_AUTH_SERVICE: withoutFinalSlash(service) }),
  });
  // Ctrl-C at a terminal reaches the command by itself: sent again, it would count as the second one.
  const isAtTerminal = [world.streams.stdin, world.streams.stdout, world.streams.stderr].some(
    ({ isTTY }) => isTTY,
  );
  context.passSignalsTo((signal) => {
    if (signal !== 'SIGINT' || !isAtTerminal) child.send(signal);
  });
  return endingOf(context, [command, ...args], await child.ended);
}

/**
 * The words after the first `--`, as they were typed: the parser of the arguments takes a second one out.
 * @throws CliError (usage) when the command is not there.
 */
function commandLine(argv: readonly string[], words: readonly string[]): CommandLine {
  const hint = 'For example: agent-auth exec -- printenv AGENT_AUTH_SERVICE';
  const dashes = argv.indexOf('--');
  const [command, ...args] = dashes === -1 ? words : argv.slice(dashes + 1);
  // Before the dashes an option is one of ours; without dashes it is ambiguous.
  const [unknown] = words[0]?.startsWith('-')
    ? words
    : words.filter((word) => dashes === -1 && word.startsWith('-'));
  if (unknown !== undefined && (dashes === -1 || unknown !== command)) {
    throw usageError(`Unknown option '${displayText(unknown, 60)}' before --.`, { hint });
  }
  if (command && command === words[0]) return [command, ...args];
  throw usageError('exec runs the command that comes after --.', { hint });
}

function endingOf(context: Context, [command]: CommandLine, end: ChildEnd): Ending {
  const shown = displayText(command, 200);
  switch (end.status) {
    case 'exited':
      return { childExit: end.code };
    case 'signalled':
      return { childExit: EXEC_EXIT_CODES.signalled.code + end.signal };
    case 'not_found':
      throw new CliError('notFound', {
        code: 'command_not_found',
        message: `There is no command ${shown}.`,
        hint: 'No shell is involved: for pipes and built-in commands write sh -c "…".',
        next: nextLine(context, 'help', 'exec'),
      });
    case 'not_runnable':
      throw new CliError('notRunnable', {
        code: 'command_not_runnable',
        message: `The command ${shown} cannot be run (${reasonOfCode(end.reason)}).`,
        next: nextLine(context, 'help', 'exec'),
      });
  }
}
