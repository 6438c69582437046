import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadCommand } from '../../conformance/agent/agent-command.ts';
import { AGENT_CORE, WATCHED_CORE } from '../../conformance/agent/core.ts';
import { judgeAgent } from '../../conformance/agent/judge-agent.ts';
import { AGENT_SCENARIOS } from '../../conformance/agent/scenarios/index.ts';
import { SystemHarness } from '../../conformance/agent/system-harness.ts';
import {
  type AnsweredRequest,
  type Invitation,
  watchAgent,
} from '../../conformance/agent/watch/watch-agent.ts';
import { WATCHED_SCENARIOS } from '../../conformance/agent/watch/watched-scenarios.ts';
import { WATCHED } from '../../conformance/engine/model.ts';
import { displayText } from '../../protocol/text.ts';
import { orExplain } from '../mock/servers/explain-listen.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { judgeAndReport } from './judge-and-report.ts';
import type { AgentOptions } from './options.ts';

/** Judges an agent: a command that is run for each scenario, or with `--watch` whichever comes. */
export function conformanceAgent(
  context: Context,
  words: readonly string[],
  options: AgentOptions,
): Promise<Outcome> {
  if (options.watch === true) return watched(context, words, options);
  if (options.port !== undefined) {
    throw usageError('--port belongs to --watch.', { code: 'options_clash' });
  }
  return judgeCommand(context, words, options);
}

async function judgeCommand(
  context: Context,
  words: readonly string[],
  options: AgentOptions,
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
        throw usageError(displayText(error.message), { code: 'bad_command', cause: error });
      }
    },
  });
}

/** Judges whatever agent comes to one service. */
function watched(
  context: Context,
  words: readonly string[],
  options: AgentOptions,
): Promise<Outcome> {
  if (words.length > 0) {
    throw usageError('--watch starts no command: it waits for an agent that you start.', {
      code: 'options_clash',
      hint: 'Leave the command out, or leave --watch out.',
    });
  }
  const { output, world } = context;
  const { clock, random, sleep } = world;
  const { port, timeout } = options;
  return judgeAndReport(context, options, {
    role: 'agent',
    target: WATCHED,
    scenarios: WATCHED_SCENARIOS,
    core: WATCHED_CORE,
    judge: async ({ show, onProgress: _progress, ...run }) =>
      orExplain(
        context,
        watchAgent({
          clock,
          random,
          sleep,
          ...run,
          port,
          quiet: timeout,
          onInvitation: (invitation) => show(() => output.say(invited(invitation, timeout))),
          onRequest: (request) => show(() => output.say(`  ${lineOf(request)}`)),
        }),
        'usage',
      ),
  });
}

function invited({ clients, mcp, sentence, service }: Invitation, quiet: number): string {
  return [
    `The service is ${service}. Give this to your agent:`,
    '',
    `  ${sentence}`,
    '',
    `An MCP client is pointed at ${mcp}, with these test values:`,
    '',
    ...clients.map(
      ({ client_id: id, client_secret: secret, issuer }) =>
        `  at ${issuer} (${issuer === service ? 'its server' : 'the identity provider'}): client ${id}, secret ${secret}`,
    ),
    '',
    'Its user is played here: leave the page of the claim alone. The watch ends when the token was revoked,',
    `or nothing came for ${quiet / 1000} s (10 minutes before the first request).`,
    '',
  ].join('\n');
}

function lineOf({ method, path, status }: AnsweredRequest): string {
  return displayText(`${method} ${path} ${status}`);
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
  // The parser of the arguments passes on what it does not know, from before the dashes, too.
  const [first] = words;
  if (dashes !== -1 && first !== undefined && first !== program) {
    throw usageError(`Before -- are options, and '${displayText(first, 60)}' is none.`);
  }
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
