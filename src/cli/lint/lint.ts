import { relative, resolve } from 'node:path';
import { renderJsonValue } from '../../conformance/reporters/json.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { absoluteUrl, namedService } from '../prompts/service.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { checkWritable, writeText } from '../shell/write-text.ts';
import { readFolder, readOneFile } from './collect/read-files.ts';
import { serviceOf, visitService } from './collect/visit-service.ts';
import type { Collected, Finding, LintDocument, LintProfile, Report } from './finding.ts';
import { type Fixed, fixDocuments } from './fix.ts';
import { asked, judge, reporter } from './judge.ts';
import { presentLint } from './present.ts';
import { REPORTS, type Reported } from './reports.ts';
import { showFixed } from './show-fixed.ts';
import { type LintTarget, readTarget } from './target.ts';

export interface LintOptions {
  readonly base?: string;
  readonly fix?: true;
  readonly write?: true;
  readonly profile?: LintProfile;
  readonly rules?: true;
  readonly report?: readonly string[];
  readonly idJag?: string;
  readonly audience?: string;
  readonly client?: string;
  readonly resource?: readonly string[];
  readonly keys?: true;
}

/** Judges the discovery documents of a URL or a folder. Sends nothing but GET; writes reports, and with `--write` what it fixes. */
export async function lint(
  context: Context,
  argument: string | undefined,
  options: LintOptions,
): Promise<Outcome> {
  if (options.rules) {
    return context.output.result((await import('./present-rules.ts')).presentRules());
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
  requireWritable(target, options);
  const reports = readReports(options.report ?? []);
  const found: Finding[] = [];
  const collected = await collect(context, target, base, reporter(found));
  const { documents } = collected;
  const judgement = asked(judge(documents, found), options.profile);
  const missing = judgement.isHonest ? [] : missingKinds(documents, judgement.findings);
  const service = target.kind === 'url' ? serviceOf(target.url) : base;
  const canBegin = service !== undefined && missing.length > 0;
  const fixed = [
    ...(canBegin && options.fix
      ? await (await import('./begin-documents.ts')).beginDocuments(
          context,
          withoutFinalSlash(service),
          documents,
          missing,
        )
      : []),
    ...fixDocuments(documents, judgement.isHonest),
  ];
  const run = { typed, ...options, ...collected, ...judgement, fixed, canBegin };
  for (const { file, render } of reports) writeText(file, render(run));
  if (options.write) writeFixed(documents, fixed);
  if (options.fix) showFixed(context, run);
  else context.output.result(presentLint(context, run));
  return judgement.findings.some(({ severity }) => severity === 'error') ? 'failed' : 'done';
}

/**
 * What agents look for and nobody serves, in the order in which they ask for it. A document that is there and
 * cannot be read is not missing.
 */
function missingKinds(documents: readonly LintDocument[], findings: readonly Finding[]) {
  const isSaid = (rule: Finding['rule']) => findings.some((finding) => finding.rule === rule);
  const has = (...kinds: readonly LintDocument['kind'][]) =>
    documents.some(({ kind }) => kinds.includes(kind));
  // A folder without any document is told once.
  const isResourceMissing = isSaid('resource-metadata-missing') || documents.length === 0;
  return [
    ...(isResourceMissing && !has('resource') ? (['resource'] as const) : []),
    ...(isSaid('server-metadata-missing') && !has('server', 'block') ? (['server'] as const) : []),
  ];
}

interface ReportFile {
  readonly file: string;
  readonly render: (run: Reported) => string;
}

/** @throws CliError (usage) where there is no file to write. */
function requireWritable(target: LintTarget, { fix, write }: LintOptions): void {
  if (!write) return;
  if (!fix) throw usageError('--write is for --fix.', { hint: 'Type --fix --write.' });
  if (target.kind === 'url') {
    throw usageError('--write is for a folder or a file: a URL has none to write.', {
      hint: 'Leave --write out, and put what is printed where your server has it.',
    });
  }
}

/** Writes the documents that were fixed to where they were read. */
function writeFixed(documents: readonly LintDocument[], fixed: readonly Fixed[]): void {
  for (const { document, json, changes } of fixed) {
    const file = documents.find(({ name }) => name === document)?.file;
    if (file !== undefined && changes.length > 0) writeText(file, renderJsonValue(json));
  }
}

/**
 * The files of `--report`.
 * @throws CliError (usage) before anything is asked.
 */
function readReports(values: readonly string[]): readonly ReportFile[] {
  return values.map((value) => {
    const [, format = '', file] = /^(\w+)=(.+)$/.exec(value) ?? [];
    const render = Object.hasOwn(REPORTS, format)
      ? REPORTS[format as keyof typeof REPORTS]
      : undefined;
    if (file === undefined || render === undefined) {
      throw usageError(`--report ${value} is not FORMAT=FILE.`, {
        hint: `Formats: ${Object.keys(REPORTS).join(', ')}.`,
      });
    }
    checkWritable(file);
    return { file, render };
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
