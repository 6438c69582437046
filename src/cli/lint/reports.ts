import { plainText } from '../../conformance/engine/plain-text.ts';
import { inline } from '../../conformance/reporters/markdown.ts';
import { shownPath } from '../../discovery/document.ts';
import type { Severity } from '../../discovery/rules/rule.ts';
import { lineOf } from './find-line.ts';
import type { Finding } from './finding.ts';
import type { LintRun } from './present.ts';
import { renderLintSarif } from './sarif.ts';

/** What a run is written down from. */
export type Reported = Pick<LintRun, 'typed' | 'documents' | 'findings'>;

/** The formats of `--report`. */
export const REPORTS = {
  sarif: renderLintSarif,
  junit: renderJunit,
  markdown: renderMarkdown,
} as const satisfies Readonly<Record<string, (run: Reported) => string>>;

/**
 * JUnit XML: a suite a document, a case a finding. An error fails; a warning is a case that passes and says so in its
 * `system-out`, because JUnit knows none.
 */
function renderJunit(run: Reported): string {
  const { documents, findings, typed } = run;
  const names = [...new Set([...findings.map(nameIn(run)), ...documents.map(({ name }) => name)])];
  const suites = names.flatMap((name) => {
    const its = findings.filter((finding) => nameIn(run)(finding) === name);
    const cases =
      its.length === 0
        ? [`    <testcase name="every rule" classname="${xml(name)}"/>`]
        : its.flatMap((finding) => testCase(run, finding, name));
    return [`  <testsuite name="${xml(name)}" ${countsOf(its)}>`, ...cases, '  </testsuite>'];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="agent-auth lint ${xml(typed)}" ${countsOf(findings)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(run: Reported, finding: Finding, name: string): readonly string[] {
  const { rule, severity } = finding;
  const text = xml(textOf(run, finding));
  const said =
    severity === 'error'
      ? `<failure type="${rule}" message="${xml(finding.message)}">${text}</failure>`
      : `<system-out>${severity}: ${text}</system-out>`;
  return [
    `    <testcase name="${rule} ${xml(shownPath(finding.path))}" classname="${xml(name)}">`,
    `      ${said}`,
    '    </testcase>',
  ];
}

function countsOf(findings: readonly Finding[]): string {
  const failures = findings.filter(({ severity }) => severity === 'error').length;
  return `tests="${Math.max(1, findings.length)}" failures="${failures}"`;
}

const MARKS: Readonly<Record<Severity, string>> = { error: '❌', warning: '⚠️', note: 'ℹ️' };

/** The report for the summary of a job, or a comment. */
function renderMarkdown(run: Reported): string {
  const { findings, typed } = run;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const rows = findings.map((finding) => {
    const { rule, severity } = finding;
    const cells = [nameIn(run)(finding), textOf(run, finding), rule].map(cell);
    return `| ${[MARKS[severity], ...cells].join(' | ')} |`;
  });
  const table = ['|  | document | finding | rule |', '|---|---|---|---|', ...rows];
  const title = errors === 0 ? '✅' : '❌';
  return [
    `## ${title} agent-auth lint ${cell(typed)}`,
    '',
    ...(rows.length === 0 ? ['No problems found.'] : table),
    '',
  ].join('\n');
}

/** The document that a finding is about, or what was looked at. */
function nameIn({ typed }: Reported): (finding: Finding) => string {
  return ({ document }) => document ?? typed;
}

function textOf({ documents }: Reported, finding: Finding): string {
  const { message, instead, path } = finding;
  const line = lineOf(finding, documents);
  const where = [line && `line ${line}`, shownPath(path)].filter(Boolean).join(', ');
  const said = [where === '' ? message : `${where}: ${message}`, instead && `Instead: ${instead}`];
  return plainText(said.filter(Boolean).join(' '), 2000);
}

function cell(text: string): string {
  return inline(plainText(text, 2000)).replaceAll('\n', ' ');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function xml(text: string): string {
  return plainText(text, 2048).replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}
