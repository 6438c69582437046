import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHELLS, type Shell } from '../../../src/cli/help/completion/shells.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { ALL_SCENARIOS } from '../../../src/conformance/all-scenarios.ts';
import { LIMITED } from '../../support/limited.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const program = buildProgram(async () => {}, { stdout: () => {}, stderr: () => {} });

let folder: string;
const scripts = new Map<Shell, string>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  for (const shell of SHELLS) {
    const { code, stdout } = await runCli(newMachine(), ['completion', shell]);
    expect(code).toBe(0);
    scripts.set(shell, join(folder, shell));
    writeFileSync(join(folder, shell), stdout);
  }
  writeFileSync(join(folder, 'authority.pem'), '');
  writeFileSync(join(folder, 'agent-auth'), PROGRAM, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const env = {
  PATH: process.env['PATH'] ?? '',
  TERM: 'dumb',
  LC_ALL: 'C.UTF-8',
};

const scenarios = ALL_SCENARIOS.service.map(({ id }) => id).sort();

/** Stands for the program, which the scripts ask what stands for the last word. */
const PROGRAM = `#!/bin/sh
[ "$1" = __complete ] || exit 1
shift
case $* in
  'mock u') printf 'up\\trun both, wired: to trust each other\\n' ;;
  'claim --browser a') printf 'always\\t\\nauto\\t\\n' ;;
  'register --ema') printf -- '--email\\tthe user\\n' ;;
  'discover --ca auth') printf ':file\\t\\n' ;;
  'call /x --data @auth') printf ':file\\t@\\n' ;;
  'exec -- prin') printf ':command\\n' ;;
  *) echo "asked for $*" >&2; exit 1 ;;
esac
`;

function run(shell: Shell, script: string): string {
  const { stdout, stderr, status } = spawnSync(shell, ['-c', script], {
    // A home of its own: shells keep histories.
    env: { ...env, PATH: `${folder}:${env.PATH}`, HOME: folder },
    cwd: folder,
    encoding: 'utf8',
    ...LIMITED,
  });
  if (status !== 0) throw new Error(`${shell}: ${stderr}`);
  return stdout;
}

/** What each shell proposes after a line, whose last word is the one being typed. */
const PROPOSALS: Record<Shell, (line: string) => string[]> = {
  bash: (line) => {
    // As readline splits it: \`=\` is a word of its own.
    const words = line
      .split(' ')
      .flatMap((word) => word.split(/(=)/))
      .filter((word, index, all) => word !== '' || index === all.length - 1);
    return lines(
      run(
        'bash',
        `source ${scripts.get('bash')}
        COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
        COMP_CWORD=${words.length - 1}
        "$(complete -p agent-auth | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
        printf '%s\\n' "\${COMPREPLY[@]}"`,
      ),
    );
  },
  zsh: (line) => zshProposals(line),
  fish: (line) =>
    lines(run('fish', `source ${scripts.get('fish')}; complete -C '${line}'`)).map(
      (each) => each.split('\t')[0] ?? '',
    ),
};

function lines(text: string): string[] {
  return text.split('\n').filter((each) => each !== '');
}

/** Between the proposals for one line and those for the next. */
const NEXT = '@next';

/** What zsh proposes after each line that is asked for here: starting it takes longer than all of them. */
let ofZsh: ReadonlyMap<string, string[]>;

/** A real, interactive zsh at the other end of a pseudo-terminal, whose completion lists what it has. */
function zshProposals(line: string): string[] {
  const found = ofZsh.get(line);
  if (found === undefined) throw new Error(`zsh was not asked for: ${line}`);
  return found;
}

function askZsh(typed: readonly string[]): ReadonlyMap<string, string[]> {
  const found = join(folder, 'zsh.found');
  const driver = `
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "PROMPT= ; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D"
    zpty -w z "source ${scripts.get('zsh')}"
    zpty -w z 'compadd_all() { local -a found; builtin compadd -O found "$@"; print -rl -- "@"\${^found} >> ${found}; builtin compadd "$@" }'
    zpty -w z 'functions[compadd]=$functions[compadd_all]'
    zpty -w z 'list_all() { _main_complete; print -r -- @done >> ${found} }; zle -C list-all list-choices list_all; bindkey "^T" list-all; bindkey "^U" kill-whole-line'
    for line in ${typed.map((each) => `'${each}'`).join(' ')}; do
      : > ${found}
      zpty -n -w z "$line"$'\\C-t'
      for i in {1..500}; do
        # What it shows has to be read, or it would wait for that.
        while zpty -rt z shown; do :; done
        grep -q @done ${found} && break
        sleep 0.02
      done
      cat ${found}
      print -r -- ${NEXT}
      zpty -n -w z $'\\C-u'
    done
    zpty -d z`;
  const answers = run('zsh', driver).split(`${NEXT}\n`);
  return new Map(
    typed.map((line, index) => [
      line,
      lines(answers[index] ?? '')
        .map((each) => each.slice(1))
        .filter((each) => each !== 'done' && each !== ''),
    ]),
  );
}

const isHere = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0'], LIMITED).status === 0;

describe('the completion scripts', () => {
  it('has a JSON form', async () => {
    const { json } = await runCli(newMachine(), ['completion', 'bash', '--json']);
    expect(json()).toEqual([
      {
        schema: 'agent-auth.completion/1',
        shell: 'bash',
        script: expect.stringContaining('complete -F _agent_auth agent-auth'),
      },
    ]);
  });

  it('exits 2 for a shell that there is no script for', async () => {
    expect(await runCli(newMachine(), ['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});

/** What is typed, and what has to be proposed for the word that is being typed. */
const PROPOSED: readonly (readonly [what: string, line: string, proposed: readonly string[]])[] = [
  ['a command', 'agent-auth regi', ['register']],
  ['a command of a group', 'agent-auth mock u', ['up']],
  [
    'a command after options',
    'agent-auth --service https://x.example --json mock pro',
    ['provider'],
  ],
  ['the command below another', 'agent-auth claim w', ['wait']],
  ['an option of the command', 'agent-auth register --ema', ['--email']],
  ['an option of every command', 'agent-auth mock up --quie', ['--quiet']],
  ['the choices of an option', 'agent-auth claim --browser a', ['always', 'auto']],
  ['the choices of an argument', 'agent-auth completion f', ['fish']],
  ['a file', 'agent-auth discover --ca auth', [':file']],
  ['a word of help', 'agent-auth help exit', ['exit-codes']],
  ['a command of help', 'agent-auth help mock u', ['up']],
  ['nothing where anything may stand', 'agent-auth register --email a', []],
  ['a file after the command of exec', 'agent-auth exec -- cat auth', [':file']],
  [
    'a value behind = of a shell that makes three words of it',
    'agent-auth claim --browser = ne',
    ['never'],
  ],
  ['a value behind =', 'agent-auth claim --browser=ne', ['--browser=never']],
  ['the @ before a file', 'agent-auth call /x --data ', ['@']],
  ['a file behind an @', 'agent-auth call /x --data=@au', [':file']],
  ['a fault', 'agent-auth mock fault noSlowD', ['noSlowDown']],
  ['another fault', 'agent-auth mock fault noSlowDown acceptedRepl', ['acceptedReplay']],
  ['a fault of a server', 'agent-auth mock up --fault noSlowD', ['noSlowDown']],
  ['a lifetime', 'agent-auth mock service --lifetime userC', ['userCode=']],
  [
    'a scenario',
    'agent-auth conformance service --only id-jag-conf',
    scenarios.filter((id) => id.startsWith('id-jag-conf')),
  ],
];
describe('what is proposed', () => {
  it.each(PROPOSED)('is %s', async (_what, line, expected) => {
    const { code, stdout, stderr } = await runCli(newMachine(), [
      '__complete',
      ...line.split(' ').slice(1),
    ]);
    const words = lines(stdout).map((each) => each.split('\t')[0]);
    expect([code, stderr, words.sort()]).toEqual([0, '', expected]);
  });

  it('is every command, option and choice of the tree', async () => {
    const tree = (command: Command, path: readonly string[]): readonly (readonly string[])[] => [
      ...command.options.flatMap(({ hidden, long }) =>
        hidden || !long || long === '--version' ? [] : [[...path, long]],
      ),
      ...command.commands.flatMap((each) =>
        each.name() === 'help'
          ? []
          : [[...path, each.name()], ...tree(each, [...path, each.name()])],
      ),
    ];
    const all = tree(program, []);
    expect(all.length).toBeGreaterThan(200);
    for (const line of all) {
      const { stdout } = await runCli(newMachine(), ['__complete', ...line]);
      expect([line, lines(stdout).map((each) => each.split('\t')[0])]).toEqual([
        line,
        expect.arrayContaining([line.at(-1)]),
      ]);
    }
  });
});

const GLUED: readonly (readonly [line: string, proposed: readonly string[]])[] = [
  ['agent-auth mock u', ['up']],
  ['agent-auth claim --browser a', ['always', 'auto']],
  ['agent-auth register --ema', ['--email']],
  ['agent-auth discover --ca auth', ['authority.pem']],
];
const COMMAND_OF_MACHINE = 'agent-auth exec -- prin';
const LINES = [...GLUED.map(([line]) => line), COMMAND_OF_MACHINE];

describe.each(SHELLS)('completing in %s', (shell) => {
  if (!isHere(shell))
    process.stdout.write(`skipped: completing in ${shell}: it is not installed\n`);

  beforeAll(() => {
    if (shell === 'zsh' && isHere(shell)) ofZsh = askZsh(LINES);
  });

  const proposed = PROPOSALS[shell];

  it.skipIf(!isHere(shell)).each(GLUED)('proposes for %s', (line, expected) => {
    expect([...new Set(proposed(line))].sort()).toEqual(expected);
  });

  it.skipIf(!isHere(shell))('proposes the commands of the machine after exec --', () => {
    expect(proposed(COMMAND_OF_MACHINE)).toEqual(expect.arrayContaining(['printenv']));
  });
});
