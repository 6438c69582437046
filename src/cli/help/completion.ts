import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Shell } from './completion/shells.ts';

/** Prints the script that teaches a shell the commands and options of this program. */
export async function completion({ output }: Context, shell: Shell): Promise<Outcome> {
  const script = SCRIPTS[shell];
  return output.result({
    schema: 'completion',
    json: () => ({ shell, script }),
    human: () => script.trimEnd(),
  });
}

/** Completion for bash from 3.2 on (macOS): no associative arrays, no mapfile. */
const BASH = `# Completion of agent-auth for bash, made by \`agent-auth completion bash\`.
_agent_auth() {
  local cur=\${COMP_WORDS[COMP_CWORD]} line word
  COMPREPLY=()
  [[ $cur == = ]] && cur=
  while IFS= read -r line; do
    word=\${line#*$'\t'}
    case $line in
      :command) COMPREPLY=($(compgen -c -- "$cur")) ;;
      :file*)
        local IFS=$'\n'
        compopt -o filenames 2>/dev/null
        COMPREPLY=(\${COMPREPLY[@]+"\${COMPREPLY[@]}"} $(compgen -f -P "$word" -- "\${cur#"$word"}")) ;;
      *) COMPREPLY=(\${COMPREPLY[@]+"\${COMPREPLY[@]}"} "\${line%%$'\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ \${COMPREPLY[0]-} == *[=@] ]] && compopt -o nospace 2>/dev/null
}
complete -F _agent_auth agent-auth
`;

/** Completion for zsh with compinit; to be sourced, or as the file `_agent-auth` in `fpath`. */
const ZSH = `#compdef agent-auth
# Completion of agent-auth for zsh, made by \`agent-auth completion zsh\`.
_agent_auth() {
  local -a found
  local line
  for line in "\${(@f)$(\${(Q)words[1]} __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :command) _command_names -e ;;
      :file*) compset -P "\${line#*$'\t'}"; _files ;;
      *) found+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}") ;;
    esac
  done
  if [[ \${found[1]-} == *[=@]:* ]]; then
    _describe agent-auth found -S ''
  elif (( $#found )); then
    _describe agent-auth found
  fi
}
if [[ $funcstack[1] == _agent_auth ]]; then
  _agent_auth "$@"
else
  compdef _agent_auth agent-auth
fi
`;

/** Completion for fish from 3.0 on. */
const FISH = `# Completion of agent-auth for fish, made by \`agent-auth completion fish\`.
function __agent_auth_complete
    set -l words (commandline -opc)
    set -l cur (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] $cur 2>/dev/null)
        switch $line
            case :command
                complete --do-complete="$cur"
            case ':file*'
                set -l prefix (string split \\t -- $line)[2]
                set -l begun (string sub -s (math 1 + (string length -- "$prefix")) -- "$cur")
                for file in (__fish_complete_path "$begun")
                    echo $prefix$file
                end
            case '*'
                echo $line
        end
    end
end
complete -c agent-auth -f -a '(__agent_auth_complete)'
`;

/** What teaches a shell to ask this program at each Tab. */
const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
