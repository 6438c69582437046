import { relative, resolve } from 'node:path';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import { namedService } from '../choose/service.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { readVersion } from '../shell/version.ts';
import { checkWritable, writeText } from '../shell/write-text.ts';
import type { Collected } from './collect/collected.ts';
import { serviceOf } from './collect/places.ts';
import { readFolder } from './collect/read-folder.ts';
import { readOneFile } from './collect/read-one-file.ts';
import { visitService } from './collect/visit-service.ts';
import type { Finding, Report } from './finding.ts';
import { judge, reporter } from './judge.ts';
import { mend } from './mend/mend.ts';
import { missingKinds } from './mend/missing.ts';
import { presentLint } from './present.ts';
import { renderLintSarif } from './sarif.ts';
import { showMended } from './show-mended.ts';
import { type LintTarget, readTarget } from './target.ts';

export interface LintOptions {
  readonly base?: string;
  readonly fix?: true;
  readonly rules?: true;
  readonly report?: readonly string[];
}

/** Judges the discovery documents of a URL or a folder. Sends nothing but GET, and writes reports alone. */
export async function lint(
  context: Context,
  argument: string | undefined,
  options: LintOptions,
): Promise<Outcome> {
  if (options.rules) {
    context.output.result((await import('./present-rules.ts')).presentRules());
    return 'done';
  }
  const typed = argument ?? namedService(context, undefined);
  if (typed === undefined) {
    throw usageError('Nothing was named.', {
      code: 'service_missing',
      hint: 'Name the URL of a service, a folder or a document.',
    });
  }
  const target = readTarget(typed);
  const base = readBase(target, options.base);
  const reports = readReports(options.report ?? []);
  const found: Finding[] = [];
  const collected = await collect(context, target, base, reporter(found));
  const { documents } = collected;
  const judgement = judge(documents, found);
  const missing = judgement.isHonest ? [] : missingKinds(documents, judgement.findings);
  const service = target.kind === 'url' ? serviceOf(target.url) : base;
  const canBegin = service !== undefined && missing.length > 0;
  const mended = [
    ...(canBegin && options.fix
      ? await (await import('./mend/begin-documents.ts')).beginDocuments(
          context,
          withoutFinalSlash(service),
          documents,
          missing,
        )
      : []),
    ...mend(documents, judgement.isHonest),
  ];
  const run = { typed, ...options, ...collected, ...judgement, mended, canBegin };
  for (const file of reports) {
    writeText(file, renderLintSarif({ version: readVersion(), ...run }));
  }
  if (options.fix) showMended(context, run);
  else context.output.result(presentLint(context, run));
  return judgement.findings.some(({ severity }) => severity === 'error') ? 'failed' : 'done';
}

/**
 * The files of `--report`.
 * @throws CliError (usage) before anything is asked.
 */
function readReports(values: readonly string[]): readonly string[] {
  return values.map((value) => {
    const file = /^sarif=(.+)$/.exec(value)?.[1];
    if (file === undefined) {
      throw usageError(`--report ${value} is not FORMAT=FILE.`, { hint: 'Formats: sarif.' });
    }
    checkWritable(file);
    return file;
  });
}

function readBase(target: LintTarget, typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  if (target.kind === 'url') {
    throw usageError('--base is for a folder: a URL says itself where it is served.');
  }
  return absoluteUrl(typed, 'The URL of --base');
}

async function collect(
  context: Context,
  target: LintTarget,
  base: string | undefined,
  report: Report,
): Promise<Collected> {
  if (target.kind === 'url') return visitService(context, target.url, report);
  const fromHere = relative(process.cwd(), resolve(target.path));
  return target.kind === 'folder'
    ? readFolder(target.path, fromHere, base, report)
    : readOneFile(target.path, fromHere, base, report);
}
