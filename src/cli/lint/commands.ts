import { type Command, Option } from 'commander';
import { usageError } from '../shell/cli-error.ts';
import type { Run } from '../shell/context.ts';
import { examples, notes } from '../shell/help-text.ts';
import { collect } from '../shell/option-values.ts';
import { LINT_PROFILES } from './finding.ts';
import type { LintOptions } from './lint.ts';

export function addLintCommand(program: Command, run: Run): void {
  const lint = program
    .command('lint')
    .summary('check the discovery documents that you publish')
    .description(
      'Reads discovery documents as agents do (resource metadata, authorization server metadata with ' +
        'agent_auth, skill file), or the metadata document of a client by its URL or as a file, and says what is wrong in them, why, and what to write instead. ' +
        'Exits 0 if there are at most warnings, 1 if there is an error, 7 if nothing answers.',
    )
    .argument(
      '[url|folder]',
      'the URL of a service (default: the service named otherwise), the folder of a static site, or one document',
    )
    .option(
      '--base <url>',
      'where a folder is served, or the URL of a document of a client (default: where the documents say)',
    )
    .option(
      '--fix',
      'print the fixed documents, and whole ones to begin with for those that are missing; no file is changed without --write',
    )
    .option('--write', 'with --fix: write the fixed documents where they were read')
    .addOption(
      new Option(
        '--profile <profile>',
        'what is asked for: registration, or mcp for OAuth alone, without agent_auth',
      ).choices(LINT_PROFILES),
    )
    .option('--rules', 'list every rule, with an example before and after; nothing is read')
    .option(
      '--report <format=file>',
      'write a report to a file: sarif, junit or markdown=FILE; repeatable',
      collect,
    )
    .option('--id-jag <source>', 'judge an ID-JAG instead: @FILE, or - for stdin')
    .option('--audience <issuer>', 'with --id-jag: the issuer of the server that redeems it')
    .option('--client <id>', 'with --id-jag: the client, as that server knows it')
    .option('--resource <url>', 'with --id-jag: a resource that it may name; repeatable', collect)
    .option('--keys', 'with --id-jag: verify its signature with the keys of its issuer')
    .action((target: string | undefined, options: LintOptions) =>
      run(async (context) => {
        const { idJag } = readKind(target, options);
        return idJag === undefined
          ? (await import('./lint.ts')).lint(context, target, options)
          : (await import('./id-jag/lint-id-jag.ts')).lintIdJag(context, { ...options, idJag });
      }),
    );
  notes(lint, [
    'Nothing is sent but GET, without credentials; nobody is registered. A redirect is reported, not ' +
      'followed. In a folder no link is followed that leads out of it.',
  ]);
  examples(
    lint,
    'lint https://api.example.com',
    'lint ./public --base https://www.example.com',
    'lint ./public --fix --write',
    'lint https://api.example.com --profile mcp',
    'lint --rules',
    'lint ./public --report sarif=lint.sarif --json',
    'mock mint --client-id app | agent-auth lint --id-jag - --client app --keys',
  );
}

const OF_ID_JAGS = ['audience', 'client', 'resource', 'keys'] as const;
const OF_DOCUMENTS = ['base', 'fix', 'write', 'profile', 'rules', 'report'] as const;

/**
 * Documents or an ID-JAG: each has options of its own.
 * @throws CliError (usage) for one that is not of what is judged.
 */
function readKind(target: string | undefined, options: LintOptions): LintOptions {
  const isIdJag = options.idJag !== undefined;
  const foreign = (isIdJag ? OF_DOCUMENTS : OF_ID_JAGS).find((name) => options[name] !== undefined);
  if (foreign !== undefined) {
    throw usageError(
      isIdJag ? `--${foreign} is not for an ID-JAG.` : `--${foreign} is for --id-jag.`,
      { hint: isIdJag ? 'Leave it out.' : 'Name the ID-JAG with --id-jag @FILE.' },
    );
  }
  if (isIdJag && target !== undefined) {
    throw usageError('--id-jag judges an ID-JAG, so no URL and no folder is read.', {
      hint: 'Leave one of the two out.',
    });
  }
  return options;
}
