import type { CompletionNode, CompletionOption } from './completion-tree.ts';
import { oneLine, quoted, valueText } from './shell-text.ts';

/** For zsh with compinit; to be sourced, or as the file \`_agent-auth\` in \`fpath\`. */
export function zshCompletion(nodes: readonly CompletionNode[]): string {
  return `#compdef agent-auth
# Completion of agent-auth for zsh, made by \`agent-auth completion zsh\`.

# Sets \`words_\` and \`options_\` to what can follow a command, each as NAME:SUMMARY.
_agent_auth_node() {
  words_=()
  options_=()
  case $1 in
${nodes.map(nodeArm).join('\n')}
  esac
}

# What follows an option: words to choose from, <file>, <@file>, <anything> or <ask LIST>; nothing for a
# switch. Without an option, what the command takes beside its words.
_agent_auth_value() {
  case "$1:$2" in
${nodes.flatMap(valueArms).join('\n')}
  esac
}

# Adds what of a value fits.
_agent_auth_fit() {
  local value=$1
  if [[ $value == '<ask '*'>' ]]; then
    value=\${value#<ask }
    value=$(\${words[1]} __complete \${value%>} 2>/dev/null)
  fi
  if [[ $value == *= ]]; then
    compadd -S '' -- \${=value}
  else
    compadd -- \${=value}
  fi
}

_agent_auth() {
  local -a words_ options_
  local path_= option= word value i
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $option ]]; then
      option=
    elif [[ $word == -- ]]; then
      if ((i + 1 == CURRENT)); then _command_names -e; else _files; fi
      return
    elif [[ $word == -*=* ]]; then
      continue
    elif [[ $word == -* ]]; then
      [[ -n $(_agent_auth_value "$path_" "$word") ]] && option=$word
    else
      _agent_auth_node "$path_"
      (( \${words_[(I)\${(b)word}:*]} )) && path_="\${path_:+$path_ }$word"
    fi
  done
  if [[ -z $option && $words[CURRENT] == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    value=$(_agent_auth_value "$path_" "$option")
    case $value in
      '<file>') _files ;;
      '<@file>') compset -P @ && _files || compadd -- - @ ;;
      ''|'<anything>') _message 'a value' ;;
      *) _agent_auth_fit $value ;;
    esac
    return
  fi
  _agent_auth_node "$path_"
  if [[ $words[CURRENT] == -* ]]; then
    _describe -o option options_
  else
    (( $#words_ )) && _describe command words_
    value=$(_agent_auth_value "$path_" '')
    [[ -n $value ]] && _agent_auth_fit $value
  fi
}

if [[ $funcstack[1] == _agent_auth ]]; then
  _agent_auth "$@"
else
  compdef _agent_auth agent-auth
fi
`;
}

function nodeArm({ path, words, options }: CompletionNode): string {
  const lines = [
    ...words.map(({ name, summary }) => `words_+=${described(name, summary)}`),
    ...options.flatMap(optionLines),
  ];
  return [`    ${quoted(path)})`, ...lines.map((line) => `      ${line}`), '      ;;'].join('\n');
}

function optionLines({ flags, summary }: CompletionOption): string[] {
  return flags.map((flag) => `options_+=${described(flag, summary)}`);
}

function described(name: string, summary: string): string {
  const text = oneLine(summary).replaceAll('\\', '').replaceAll(':', '\\:');
  return `(${quoted(`${name}:${text}`)})`;
}

function valueArms({ argument, path, options }: CompletionNode): string[] {
  return [{ flags: [''], value: argument }, ...options]
    .filter(({ value }) => value.kind !== 'none')
    .map(({ flags, value }) => {
      const patterns = flags.map((flag) => quoted(`${path}:${flag}`)).join('|');
      return `    ${patterns}) print -rn -- ${quoted(valueText(value))} ;;`;
    });
}
