import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { AGENT_COMMANDS } from './agent/commands.ts';
import { CONFORMANCE } from './conformance/commands.ts';
import { DEMO } from './demo/commands.ts';
import { addDoctorCommand } from './doctor/commands.ts';
import { helpCommands } from './help/commands.ts';
import { addLintCommand } from './lint/commands.ts';
import { MCP } from './mcp/commands.ts';
import { MOCK } from './mock/commands.ts';
import { PROVIDER } from './provider/commands.ts';
import { PROXY } from './proxy/commands.ts';
import { addCommand, addCommands, type CommandSpec } from './shell/command.ts';
import type { Run } from './shell/context.ts';
import { docsPage, GROUPS } from './shell/docs-page.ts';
import { addGlobalOptions } from './shell/global-options.ts';
import { examples, HELP_FORM, helpWidth } from './shell/help-text.ts';
import { installedPage } from './shell/installed-page.ts';
import { readVersion } from './shell/version.ts';

interface ProgramOutput {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** What `--version` prints, without a final line break. Default: the version alone. */
  readonly version?: string;
  /** Columns of the terminal that help is read on; `undefined` where it is none. */
  readonly columns?: number | undefined;
}

/**
 * The command tree: names, options and help. A command's own code is imported when it runs.
 * @param argv a line: of the tree, what carries it out is made; to explain what is wrong with it takes the whole
 *   one. Default: the whole tree.
 */
export function buildProgram(
  run: Run,
  output: ProgramOutput,
  argv: readonly string[] = [],
): Command {
  const program = new Command('agent-auth')
    .description(
      'Registers agents at services, lets users claim them, mocks both sides and tests either.',
    )
    .version(output.version ?? readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .showSuggestionAfterError()
    .configureHelp(HELP_FORM)
    .exitOverride()
    .configureOutput({
      writeOut: output.stdout,
      writeErr: output.stderr,
      getOutHelpWidth: () => helpWidth(output.columns),
      getErrHelpWidth: () => helpWidth(output.columns),
      // Errors are thrown (exitOverride) and printed by `main` in one form.
      outputError: () => {},
    });

  addGlobalOptions(program);

  program.addHelpText('afterAll', ({ command }) => {
    const page = installedPage(docsPage(wordsOf(command)), process.cwd());
    return (
      '\nOptions of every command (--json, --service, …): agent-auth help options' +
      // An image has no pages, and a clone none before its first build.
      (existsSync(page) ? `\nExit codes and JSON:\n  ${page}` : '')
    );
  });
  // A subcommand takes its settings from its parent when it is made: those above come first.
  const [name = ''] = argv;
  const only = Object.hasOwn(AGENT_COMMANDS, name) ? AGENT_COMMANDS[name] : undefined;
  if (only !== undefined) {
    addCommand(program, run, name, only);
    return program;
  }
  const isListed = argv.length === 1 && (argv[0] === '--help' || argv[0] === '-h');
  // In a list of commands a group stands without its own.
  const listed = (spec: CommandSpec) => (isListed ? { ...spec, commands: {} } : spec);
  program.commandsGroup('Agent:');
  addCommands(program, run, { ...AGENT_COMMANDS, mcp: MCP });
  program.commandsGroup('Provider:');
  addCommand(program, run, 'provider', listed(PROVIDER));
  program.commandsGroup('Servers:');
  addCommands(program, run, { mock: listed(MOCK), proxy: PROXY, demo: DEMO });
  program.commandsGroup('Conformance:');
  addCommand(program, run, 'conformance', listed(CONFORMANCE));
  addLintCommand(program, run);
  program.commandsGroup('Help:');
  addDoctorCommand(program, run);
  program.helpCommand(false);
  addCommands(program, run, helpCommands(program));
  // Each group has its own `help`; commander words it differently.
  for (const group of program.commands) {
    if (GROUPS.includes(group.name())) group.helpCommand('help [command]', 'show this help');
  }
  return examples(
    program,
    'demo',
    'mock up',
    'connect --call /api/resource',
    'connect --scope api.write --email alice@example.com',
  );
}

/** The words of a command, without the program. */
function wordsOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
