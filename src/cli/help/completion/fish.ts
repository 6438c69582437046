import type { CompletionNode, CompletionOption, CompletionValue } from './completion-tree.ts';
import { oneLine } from './shell-text.ts';

/** For fish from 3.0 on. */
export function fishCompletion(nodes: readonly CompletionNode[]): string {
  const paths = nodes.map(({ path }) => path).filter((path) => path !== '');
  const values = new Set(
    nodes.flatMap(({ options }) =>
      options.filter(({ value }) => value.kind !== 'none').flatMap(({ flags }) => flags),
    ),
  );
  return `# Completion of agent-auth for fish, made by \`agent-auth completion fish\`.

# The command that was typed so far, or -- after the dashes of exec.
function __agent_auth_path
    set -l path
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test "$word" = --
            echo -- --
            return
        else if contains -- "$word" ${[...values].map(quoted).join(' ')}
            set skip 1
        else if not string match -q -- '-*' "$word"
            set -l longer (string join ' ' $path $word)
            contains -- "$longer" ${paths.map(quoted).join(' ')}
            and set path $path $word
        end
    end
    string join ' ' -- $path
end

function __agent_auth_at
    set -l path (__agent_auth_path)
    test "$path" = "$argv[1]"
end

# What the program lists.
function __agent_auth_ask
    set -l words (commandline -opc)
    $words[1] __complete $argv[1] 2>/dev/null
end

complete -c agent-auth -f
complete -c agent-auth -n '__agent_auth_at --' -F -a '(complete --do-complete=(commandline -ct))'
${nodes.flatMap(lines).join('\n')}
`;
}

function lines({ argument, path, words, options }: CompletionNode): string[] {
  const at = `complete -c agent-auth -n ${quoted(`__agent_auth_at ${quoted(path)}`)}`;
  return [
    ...words.map(({ name, summary }) => `${at} -a ${quoted(name)}${description(summary)}`),
    ...(argument.kind === 'choice' || argument.kind === 'asked'
      ? [`${at} -a ${quoted(choices(argument))}`]
      : []),
    ...options.map((option) => `${at} ${optionArgs(option)}${description(option.summary)}`),
  ];
}

function optionArgs({ flags, value }: CompletionOption): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  switch (value.kind) {
    case 'none':
      break;
    case 'choice':
    case 'asked':
      names.push('-x', '-a', quoted(choices(value)));
      break;
    case 'file':
      names.push('-r', '-F');
      break;
    case 'at_file':
      names.push('-x', '-a', quoted('(printf "%s\\n" - @(__fish_complete_path))'));
      break;
    case 'anything':
      names.push('-x');
      break;
  }
  return names.join(' ');
}

function choices(value: CompletionValue & { readonly kind: 'choice' | 'asked' }): string {
  return value.kind === 'choice' ? value.choices.join(' ') : `(__agent_auth_ask ${value.list})`;
}

function description(summary: string): string {
  const text = oneLine(summary);
  return text === '' ? '' : ` -d ${quoted(text)}`;
}

/** In single quotes fish knows two escapes: the quote and the backslash. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
