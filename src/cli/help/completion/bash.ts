import type { CompletionNode } from './completion-tree.ts';
import { quoted, valueText } from './shell-text.ts';

/** For bash from 3.2 on (macOS): no associative arrays, no mapfile. */
export function bashCompletion(nodes: readonly CompletionNode[]): string {
  return `# Completion of agent-auth for bash, made by \`agent-auth completion bash\`.

# The words that can follow a command.
_agent_auth_words() {
  case $1 in
${nodes.map(({ path, words }) => arm(path, words.map(({ name }) => name).join(' '))).join('\n')}
  esac
}

_agent_auth_options() {
  case $1 in
${nodes.map(({ path, options }) => arm(path, options.flatMap(({ flags }) => flags).join(' '))).join('\n')}
  esac
}

# What follows an option: words to choose from, <file>, <@file>, <anything> or <ask LIST>; nothing for a
# switch. Without an option, what the command takes beside its words.
_agent_auth_value() {
  case "$1:$2" in
${nodes.flatMap(valueArms).join('\n')}
  esac
}

# Sets COMPREPLY to what of a value fits the word: value, word.
_agent_auth_fit() {
  local value=$1
  case $value in
    '<ask '*)
      value=\${value#<ask }
      value=$("\${COMP_WORDS[0]}" __complete "\${value%>}" 2>/dev/null)
      ;;
    *=) compopt -o nospace 2>/dev/null ;;
  esac
  COMPREPLY=(\${COMPREPLY[@]+"\${COMPREPLY[@]}"} $(compgen -W "$value" -- "$2"))
}

_agent_auth_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -P "$2" -- "$1"))
}

_agent_auth() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path= option= word value i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $option ]]; then
      # bash makes words of its own of --option=value.
      [[ $word == = ]] || option=
    elif [[ $word == -- ]]; then
      if ((i + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- "$cur")); else _agent_auth_files "$cur"; fi
      return
    elif [[ $word == -* ]]; then
      [[ -n $(_agent_auth_value "$path" "$word") ]] && option=$word
    elif [[ " $(_agent_auth_words "$path") " == *" $word "* ]]; then
      path="\${path:+$path }$word"
    fi
  done
  if [[ -n $option ]]; then
    [[ $cur == = ]] && cur=
    value=$(_agent_auth_value "$path" "$option")
    case $value in
      '<file>') _agent_auth_files "$cur" ;;
      '<@file>') _agent_auth_files "\${cur#@}" @ ;;
      '<anything>') ;;
      *) _agent_auth_fit "$value" "$cur" ;;
    esac
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(_agent_auth_options "$path")" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$(_agent_auth_words "$path")" -- "$cur"))
    _agent_auth_fit "$(_agent_auth_value "$path" '')" "$cur"
  fi
}

complete -F _agent_auth agent-auth
`;
}

function arm(path: string, words: string): string {
  return `    ${quoted(path)}) printf '%s' ${quoted(words)} ;;`;
}

function valueArms({ argument, path, options }: CompletionNode): string[] {
  return [{ flags: [''], value: argument }, ...options]
    .filter(({ value }) => value.kind !== 'none')
    .map(({ flags, value }) => {
      const patterns = flags.map((flag) => quoted(`${path}:${flag}`)).join('|');
      return `    ${patterns}) printf '%s' ${quoted(valueText(value))} ;;`;
    });
}
