import type { Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import { collect, timeoutOption } from '../shell/option-values.ts';
import { type Timed, within } from '../shell/within.ts';
import type { CallOptions } from './call.ts';
import type { ExecOptions } from './exec.ts';
import type { TokenOptions } from './token.ts';

export function addToken(program: Command, run: Run): void {
  examples(
    program
      .command('token')
      .summary('print a valid access token and nothing else')
      .description(
        'Prints a valid access token. Exchanges the identity assertion when needed.\n\n' +
          'While the stored token has more than five minutes left, by the time of the server as it was seen ' +
          'last, nothing is sent. Where the clock of the server or of this machine has been set since, as ' +
          'that of a mock by `mock advance`, only --check shows what is left; a revocation shows in neither.',
      )
      .option('--renew', 'exchange even if the stored token is still valid')
      .option('--check', 'ask the server for its time first, if it answers')
      .action((options: TokenOptions) =>
        run(async (context) => (await import('./token.ts')).token(context, options)),
      ),
    'token',
    'token --check',
  );
}

export function addCall(program: Command, run: Run): void {
  examples(
    program
      .command('call')
      .summary('send a request with the token')
      .description(
        'Sends one request with the access token and prints the body of the response: on a terminal ' +
          'JSON with indents, anywhere else as it is. ' +
          'If this agent is not registered there yet, offers to register anonymously first; --yes accepts.',
      )
      .argument('<url|path>', 'a URL, or a path of the service')
      .option('-X, --request <method>', 'the method (default: GET, with data POST)')
      .option('-H, --header <line>', 'a header, as "Name: value"; repeatable', collect)
      .option('-d, --data <data|@file|->', 'the body: text, a file or stdin')
      .option('-o, --output <file>', 'a file for the body, as it is')
      .option('-i, --include', 'print status and headers before the body')
      .addOption(timeoutOption())
      .action((target: string, options: CallOptions & Timed) =>
        run(async (context) => {
          const { call } = await import('./call.ts');
          return within(context, options.timeout, () => call(context, target, options));
        }),
      ),
    'call /api/resource',
    `call /api/resource -d '{"note":"hello"}' -H 'Content-Type: application/json'`,
  );
}

export function addExec(program: Command, run: Run): void {
  const exec = program
    .command('exec')
    .summary('run a command with the token in AGENT_AUTH_TOKEN')
    .description(
      'Runs a command that finds the access token in AGENT_AUTH_TOKEN and the URL of the service in ' +
        'AGENT_AUTH_SERVICE. Where the service wants it in a header of its own, AGENT_AUTH_TOKEN_HEADER ' +
        'names that. The token is never printed, and the exit code is that of the command.',
    )
    .argument('[command...]', 'the command and its arguments, after --')
    .allowUnknownOption()
    .option('--renew', 'exchange even if the stored token is still valid')
    .action((words: readonly string[], options: ExecOptions) =>
      run(async (context) => (await import('./exec.ts')).exec(context, words, options)),
    );
  examples(
    exec,
    `exec -- sh -c 'curl -H "Authorization: Bearer $AGENT_AUTH_TOKEN" "$AGENT_AUTH_SERVICE/api/resource"'`,
    'exec --service https://api.example.com -- python fetch.py --verbose',
  );
}

export function addRevoke(program: Command, run: Run): void {
  examples(
    program
      .command('revoke')
      .summary('revoke the access token')
      .description('Revokes the stored access token at the service. The registration stays.')
      .action(() => run(async (context) => (await import('./revoke.ts')).revoke(context))),
    'revoke',
  );
}
