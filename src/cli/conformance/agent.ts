import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadCommand } from '../../conformance/agent/agent-command.ts';
import { AGENT_CORE } from '../../conformance/agent/core.ts';
import { judgeAgent } from '../../conformance/agent/judge-agent.ts';
import { AGENT_SCENARIOS } from '../../conformance/agent/scenarios/index.ts';
import { SystemHarness } from '../../conformance/agent/system-harness.ts';
import { displayText } from '../../protocol/text.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { judgeAndReport, type ReportOptions } from './judge-and-report.ts';

export interface ConformanceAgentOptions extends ReportOptions {
  /** Milliseconds. */
  readonly timeout: number;
  readonly parallel: number;
}

/** Judges an agent: a command that is run for each scenario. */
export async function conformanceAgent(
  context: Context,
  words: readonly string[],
  options: ConformanceAgentOptions,
): Promise<Outcome> {
  const { clock, environment, random, sleep } = context.world;
  const command = commandLine(context.argv, words);
  return judgeAndReport(context, options, {
    role: 'agent',
    target: displayText(command.join(' ')),
    scenarios: AGENT_SCENARIOS,
    core: AGENT_CORE,
    judge: async ({ show: _show, ...run }) => {
      try {
        return await judgeAgent({
          openHarness: () =>
            SystemHarness.open({
              clock,
              sleep,
              random,
              command,
              environment: environment.source,
              kill: killQuietly,
            }),
          random,
          ...run,
          limit: options.timeout,
          parallel: options.parallel,
        });
      } catch (error) {
        if (!(error instanceof BadCommand)) throw error;
        throw new CliError('failed', {
          code: 'bad_command',
          message: displayText(error.message),
          cause: error,
        });
      }
    },
  });
}

function killQuietly(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}

/**
 * The words after the first `--`, as they were typed.
 * @throws CliError (usage) when there are none.
 */
function commandLine(
  argv: readonly string[],
  words: readonly string[],
): readonly [string, ...string[]] {
  const dashes = argv.indexOf('--');
  const [program, ...args] = dashes === -1 ? [] : argv.slice(dashes + 1);
  if (program !== undefined && program !== '') return [absolute(program), ...args.map(absolute)];
  throw usageError(
    words.length > 0 ? 'The command goes after --.' : 'No command was named: it goes after --.',
    {
      code: 'command_missing',
      hint: 'For example: agent-auth conformance agent -- ./adapter.sh',
    },
  );
}

/** The command runs in a folder of its own, so the path of a file becomes absolute. */
function absolute(word: string): string {
  const isName = !/[/\\.]/.test(word) || word.startsWith('-');
  return isName || statSync(word, { throwIfNoEntry: false })?.isFile() !== true
    ? word
    : resolve(word);
}
