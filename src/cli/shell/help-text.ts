import { type Command, Help, type HelpConfiguration, type Option } from 'commander';

/** Prose wider than this is hard to read. Columns. */
const WIDEST = 100;
/** The width of a pipe, and of a terminal that does not say. */
const DEFAULT_WIDTH = 80;

/** The columns that help is wrapped to, once: no text carries line breaks of its own. */
export function helpWidth(columns: number | undefined): number {
  return Math.min(columns || DEFAULT_WIDTH, WIDEST);
}

/** The help of a command shows its own options; those of every command are `help options`. */
export const HELP_FORM: HelpConfiguration = {
  minWidthToWrap: 20,
  visibleOptions(command) {
    const visible = Help.prototype.visibleOptions.call(this, command);
    return command.parent === null ? visible.filter(isOfTheProgramAlone) : visible;
  },
};

function isOfTheProgramAlone({ long }: Option): boolean {
  return long === '--version' || long === '--help';
}

/** The default of an argument that names a service: what `chooseService` takes without one. */
export const SERVICE_DEFAULT = '(default: the one used last, or a running mock)';

/** The same of a provider. */
export const PROVIDER_DEFAULT = '(default: the one signed in at, or a running mock)';

/** The lines at the end of a command's help, as they are typed: never wrapped, to be pasted. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  const list = lines.map((line) => `  $ agent-auth ${line}`).join('\n');
  return command.addHelpText('after', `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${list}`);
}

/** Paragraphs after the options. A line that begins with a space is shown as it is. */
export function notes(command: Command, lines: readonly string[]): Command {
  return command.addHelpText('after', () => {
    const width = command.configureOutput().getOutHelpWidth?.() ?? DEFAULT_WIDTH;
    const help = command.createHelp();
    const wrapped = lines.map((line) => (line.startsWith(' ') ? line : help.boxWrap(line, width)));
    return `\n${wrapped.join('\n')}`;
  });
}
