/**
 * @typedef {object} Argument
 * @property {string} name as the usage line shows it: `[url]`
 * @property {string} description
 * @property {string | undefined} standard what it is when it is left out
 * @property {readonly string[]} choices
 *
 * @typedef {object} Flag
 * @property {string} flags as help shows them: `-H, --header <line>`
 * @property {string} description
 * @property {string | undefined} standard what it is when it is left out
 * @property {readonly string[]} choices
 *
 * @typedef {object} CommandEntry
 * @property {readonly string[]} words without the program; empty for the program itself
 * @property {string} group of the program's help, without its colon
 * @property {string} usage
 * @property {string} summary
 * @property {readonly string[]} description paragraphs
 * @property {readonly Argument[]} arguments
 * @property {readonly Flag[]} options its own
 * @property {readonly string[]} notes paragraphs; one that begins with a space is shown as it is
 * @property {readonly string[]} examples lines for a shell
 * @property {readonly CommandEntry[]} commands
 */

/** Wider than any text: nothing is wrapped. */
const UNWRAPPED = 1_000_000;

/**
 * What the tree of commands says of one command and those below it, whatever the terminal is.
 *
 * @param {import('commander').Command} command
 * @param {readonly string[]} [words]
 * @param {string} [group]
 * @returns {CommandEntry}
 */
export function readTree(command, words = [], group = '') {
  command.configureOutput({ ...command.configureOutput(), getOutHelpWidth: () => UNWRAPPED });
  const help = command.createHelp();
  const isOwn = (/** @type {{ long?: string | undefined }} */ { long }) =>
    long !== '--help' && long !== '--version';
  const below = help
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help' || words.length === 0);
  return {
    words,
    group,
    usage: help.commandUsage(command),
    summary: command.summary() || command.description(),
    description: command.description().split('\n\n'),
    arguments: command.registeredArguments.map((argument) => ({
      name: nameOf(argument),
      ...readDescription(argument.description, argument),
      choices: argument.argChoices ?? [],
    })),
    options: (words.length === 0 ? command.options : help.visibleOptions(command))
      .filter(isOwn)
      .map((option) => ({
        flags: option.flags,
        ...readDescription(option.description, option),
        choices: option.argChoices ?? [],
      })),
    ...readAfter(command),
    commands: below.map((each) =>
      readTree(each, [...words, each.name()], (each.helpGroup() || group).replace(/:$/, '')),
    ),
  };
}

/** @param {import('commander').Argument} argument */
function nameOf(argument) {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

/**
 * A default stands in the text, where a command decides it, or in the tree.
 *
 * @param {string} text
 * @param {import('commander').Argument | import('commander').Option} from
 */
function readDescription(text, from) {
  const [, before = text, said] = /^(.*?) \(default: ([^()]+)\)(?=$|;)/.exec(text) ?? [];
  const rest = said === undefined ? '' : text.slice(before.length + ` (default: ${said})`.length);
  const { defaultValue, defaultValueDescription } = from;
  const known = typeof defaultValue === 'boolean' ? undefined : defaultValue;
  const value = known === undefined ? undefined : `\`${defaultValueDescription ?? known}\``;
  return { description: before + rest, standard: said ?? value };
}

/** What `examples` and `notes` add to the help. @param {import('commander').Command} command */
function readAfter(command) {
  /** @type {string[]} */
  const written = [];
  // It is an emitter, which its types leave out.
  /** @type {import('node:events').EventEmitter} */ (/** @type {unknown} */ (command)).emit(
    'afterHelp',
    {
      error: false,
      command,
      write: (/** @type {string} */ text) => written.push(text),
    },
  );
  const lines = written.join('\n').split('\n');
  const isExample = (/** @type {string} */ line) => line.startsWith('  $ ');
  return {
    examples: lines.filter(isExample).map((line) => line.slice(4)),
    notes: lines.filter((line) => line !== '' && !isExample(line) && !/^Examples?:$/.test(line)),
  };
}
