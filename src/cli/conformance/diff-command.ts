import { type Command, Option } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { port } from '../shell/option-values.ts';
import type { ConformanceDiffOptions } from './diff.ts';
import { withAccounts, withSelectOptions, withTimes } from './select-options.ts';

/** `conformance diff`. */
export function addConformanceDiff(conformance: Command, run: Run): void {
  const diff = conformance
    .command('diff')
    .summary('compare two reports, or two deployments judged now')
    .description(
      'Says which checks changed from the first to the second, and in which status, headers and members the answers to the ' +
        'same steps differ. Exit 0 when nothing got worse, 1 when a check that passed or only warned ' +
        'fails now or cannot be tested, 2 for a file that is no report or of another role.',
    )
    .argument('<old>', 'how it was: a report (--report json=FILE), or a URL to judge')
    .argument('<new>', 'how it is now: a report (--report json=FILE), or a URL to judge')
    .addOption(
      new Option(
        '--role <role>',
        'what a URL is judged as (default: as the other report, or a service)',
      ).choices(['service', 'provider']),
    )
    .option('--safe', 'send only what creates nothing');
  withTimes(withSelectOptions(diff))
    .addOption(
      new Option('--user <driver>', 'who does the user’s part')
        .choices(['form', 'command'])
        .default('form'),
    )
    .option('--user-command <command>', 'with --user command: does it, JSON on its stdin');
  withAccounts(diff)
    .option('--provider-issuer <url>', 'the suite’s provider, as both services trust it')
    .option('--provider-key <file>', 'its signing key: a private JWK or PEM, closed to others')
    .option('--provider-port <port>', 'where it listens on 127.0.0.1 (default: a free port)', port)
    .option('--mint-command <command>', 'prints an ID-JAG of a trusted provider; JSON on its stdin')
    .option('--client-id <id>', 'the agent at a provider, a public client', 'agent-auth')
    .option('--no-control', 'do not use the control API of a running mock')
    .option('--markdown <file>', 'write the comparison as Markdown, too')
    .option('--verbose', 'show every change and every difference');
  notes(diff, [
    'A URL is judged by the seed of the other report, or both by the same new one. Tokens, times, ids and ' +
      'what else differs from run to run is not compared.',
  ]);
  examples(
    diff.action((was: string, now: string, options: ConformanceDiffOptions) =>
      run(async (context) =>
        (await import('./diff.ts')).conformanceDiff(context, [was, now], options),
      ),
    ),
    'conformance diff before.json after.json',
    'conformance diff main.json http://127.0.0.1:8080',
    'conformance diff https://api.example.test http://127.0.0.1:8080 --markdown diff.md',
  );
}
