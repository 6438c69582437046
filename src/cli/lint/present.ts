import { KIND_NAMES, pointerOf, shownPath } from '../../discovery/document.ts';
import type { Recognition } from '../../discovery/index.ts';
import type { Severity } from '../../discovery/rules/rule.ts';
import { RULES, sourceOf } from '../../discovery/rules/rule-table.ts';
import { displayText } from '../../protocol/text.ts';
import type { Context } from '../shell/context.ts';
import { withInstalledPages } from '../shell/installed-page.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';
import { lineOf } from './find-line.ts';
import type { Finding, LintDocument, LintProfile, Looked } from './finding.ts';
import type { Fixed } from './fix.ts';

/** A run of the linter, to be shown. */
export interface LintRun {
  /** What is checked, as it was typed. */
  readonly typed: string;
  readonly base?: string;
  readonly profile?: LintProfile;
  readonly documents: readonly LintDocument[];
  readonly looked: readonly Looked[];
  readonly recognition: Recognition | undefined;
  readonly isHonest: boolean;
  readonly findings: readonly Finding[];
  readonly fixed: readonly Fixed[];
  /** Whether `--fix` has documents to begin with, in the place of those that are missing. */
  readonly canBegin: boolean;
}

export function presentLint(context: Context, run: LintRun): Rendering {
  const { typed, documents, looked, recognition, isHonest, findings } = run;
  const counts = count(findings);
  const next = nextOf(context, run);
  return {
    schema: 'lint',
    json: () => ({
      target: typed,
      verdict: recognition?.verdict ?? null,
      reason: recognition?.reason ?? null,
      families: recognition?.families ?? [],
      documents_only: isHonest,
      documents: documents.map(({ name, kind, url }) => ({ name, kind, url: url ?? null })),
      looked_at: looked.map(({ name, status, learnt }) => ({
        name,
        status: status ?? null,
        learnt,
      })),
      findings: findings.map((finding) => findingJson(finding, documents)),
      errors: counts.error,
      warnings: counts.warning,
      notes: counts.note,
      next,
    }),
    human: (style) =>
      [
        ...sections(style, run),
        ending(style, run, counts),
        ...(run.canBegin ? ['  --fix prints whole documents to begin with.'] : []),
        ...(isOAuthAlone(run) ? ['  --profile mcp asks for no agent_auth.'] : []),
        ...(next === null ? [] : [`  Next: ${style.cyan(next.line)}`]),
      ].join('\n'),
  };
}

/** Whether OAuth alone is there: a missing `agent_auth` is no mistake where registration was never meant. */
function isOAuthAlone({ recognition, findings }: LintRun): boolean {
  return (
    recognition?.verdict === 'plain_oauth' &&
    findings.some(({ rule }) => rule === 'agent-auth-missing')
  );
}

/** Something is wrong, and some of it can be fixed, or begun, here. */
function nextOf(context: Context, run: LintRun): Next | null {
  const { typed, base, findings, fixed, canBegin } = run;
  const isWrong = findings.some(({ severity }) => severity !== 'note');
  const canFix = fixed.some(({ changes }) => changes.length > 0);
  if (!isWrong || !(canFix || canBegin)) return null;
  const served = base === undefined ? [] : ['--base', base];
  return nextLine(context, 'lint', typed, ...served, '--fix');
}

function count(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const of = (severity: Severity) => findings.filter((each) => each.severity === severity).length;
  return { error: of('error'), warning: of('warning'), note: of('note') };
}

export function findingJson(finding: Finding, documents: readonly LintDocument[]) {
  const { rule, severity, document, path, message, instead } = finding;
  const { holds, why } = RULES[rule];
  return {
    rule,
    severity,
    document: document ?? null,
    member: path.length === 0 ? null : pointerOf(path),
    line: lineOf(finding, documents) ?? null,
    message,
    instead: instead ?? null,
    rule_text: holds,
    why,
    source: sourceIn(finding, documents),
  };
}

/** The standard that a rule is of, in the document that it was broken in. */
export function sourceIn({ rule, document }: Finding, documents: readonly LintDocument[]): string {
  const its = documents.find(({ name }) => name === document);
  return sourceOf(rule, its?.kind === 'resource');
}

/** The findings of each document below its name; first those of none. */
function sections(style: Style, { documents, findings }: LintRun): readonly string[] {
  const names = documents.map(({ name }) => name);
  const of = (name: string | undefined) => findings.filter(({ document }) => document === name);
  const others = [...new Set(findings.map(({ document }) => document))].filter(
    (name) => name !== undefined && !names.includes(name),
  );
  return [
    ...of(undefined).flatMap((finding) => findingText(style, finding, documents, '')),
    ...others.flatMap((name) => [
      style.bold(displayText(name ?? '')),
      ...of(name).flatMap((finding) => findingText(style, finding, documents, '  ')),
    ]),
    ...documents.flatMap(({ name, kind }) => [
      `${style.bold(displayText(name))}  ${style.dim(KIND_NAMES[kind])}`,
      ...of(name).flatMap((finding) => findingText(style, finding, documents, '  ')),
    ]),
    '',
  ];
}

/** A finding as people read it: what is wrong, what to write instead, the rule. Its line, in a file of `documents`. */
export function findingText(
  style: Style,
  finding: Finding,
  documents: readonly LintDocument[],
  indent: string,
): readonly string[] {
  const { rule, severity, path, message, instead } = finding;
  const mark = { error: style.red('✗'), warning: style.yellow('!'), note: style.blue('i') };
  // What comes from a URL is often one line, and seldom the file that its author has.
  const isFile = documents.some(
    ({ name, file }) => name === finding.document && file !== undefined,
  );
  const line = isFile ? lineOf(finding, documents) : undefined;
  const member = displayText(shownPath(path));
  // Where the sentence begins with the member, it need not be named twice.
  const named = message.startsWith(`${member} `) ? '' : member;
  const where = [line && `line ${line}`, named].filter(Boolean).join(', ');
  return [
    `${indent}${mark[severity]} ${where === '' ? '' : `${where}: `}${message}`,
    ...(instead === undefined ? [] : [`${indent}    Instead: ${instead}`]),
    `${indent}    ${style.dim(`${rule} (${sourceIn(finding, documents)})`)}`,
  ];
}

function ending(
  style: Style,
  { recognition, isHonest }: LintRun,
  { error, warning }: Readonly<Record<Severity, number>>,
): string {
  const counted = [numbered(error, 'error'), numbered(warning, 'warning')]
    .filter((text) => text !== '')
    .join(', ');
  const mark = error > 0 ? style.red('✗') : warning > 0 ? style.yellow('!') : style.green('✓');
  const level = recognition === undefined ? [] : [`  ${levelOf(recognition, isHonest)}`];
  return [`${mark} ${counted === '' ? 'No problems found' : counted}.`, ...level].join('\n');
}

/** What the documents amount to. */
function levelOf({ verdict, reason, families }: Recognition, isHonest: boolean): string {
  if (verdict === 'usable' && families.length > 1) {
    return withInstalledPages(
      `${reason} These names are dialects of the protocol: docs/dialects.md.`,
    );
  }
  if (isHonest) return `Documents only, and they say so. ${reason}`;
  return verdict === 'published_only' ? `Documents only. ${reason}` : reason;
}

function numbered(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`;
}
