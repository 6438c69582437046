import { create, type XMLElement } from 'xmlbuilder';
import type { CheckResult, Report, ScenarioResult, Status } from '../engine/model.ts';
import { plainText } from '../engine/plain-text.ts';
import * as view from './report-view.ts';
import { exchangesOf } from './report-view.ts';

/**
 * JUnit XML: a suite a scenario, a case a check, the exchanges of its findings as `system-out`. What
 * could not be tested is an `error`; a warning is a case that passes and says so in its `system-out`,
 * because JUnit knows none.
 */
export function renderJunit(report: Report): string {
  const suites = create('testsuites', {
    version: '1.0',
    encoding: 'UTF-8',
    invalidCharReplacement: '\ufffd',
  });
  const scenarios = view.inCauseOrder(report);
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  suites.att({
    name: `agent-auth conformance ${report.role}`,
    ...countsOf(checks),
    time: inSeconds(report.duration),
  });
  for (const scenario of scenarios) suite(suites, scenario, report);
  return `${suites.end({ pretty: true })}\n`;
}

/** What the baseline lists is skipped, and says why: it fails no job. */
function isKnownFailure({ status, known }: CheckResult): boolean {
  return status === 'fail' && known !== undefined;
}

function countsOf(checks: readonly CheckResult[]) {
  const count = (status: Status) => checks.filter((check) => check.status === status).length;
  const known = checks.filter(isKnownFailure).length;
  return {
    tests: String(checks.length),
    failures: String(count('fail') - known),
    errors: String(count('untestable')),
    skipped: String(count('skip') + known),
  };
}

function suite(parent: XMLElement, scenario: ScenarioResult, report: Report): void {
  const element = parent.ele('testsuite', {
    name: plainText(scenario.id),
    ...countsOf(scenario.checks),
    time: inSeconds(scenario.duration),
    timestamp: report.startedAt,
  });
  const properties = element.ele('properties');
  for (const [name, value] of propertiesOf(report)) properties.ele('property', { name, value });
  for (const check of scenario.checks) testCase(element, scenario, check);
}

/** The properties of each suite: in each, because a viewer shows one at a time. */
function propertiesOf(report: Report): readonly (readonly [string, string])[] {
  return [
    ['verdict', plainText(view.headline(report))],
    ['scores', view.scoreLine(report)],
    ...(report.dialect === undefined ? [] : [['dialect', report.dialect] as const]),
    ['seed', String(report.seed)],
  ];
}

function testCase(parent: XMLElement, scenario: ScenarioResult, check: CheckResult): void {
  const element = parent.ele('testcase', {
    classname: plainText(scenario.id),
    name: plainText(`${check.title} [${check.id}]`),
    time: '0',
  });
  const message = plainText(messageOf(check));
  if (isKnownFailure(check)) {
    const reason = plainText(check.known ?? '');
    element.ele('skipped', { message: `Known failure. ${reason} ${message}`.replace(/ +/g, ' ') });
  } else if (check.status === 'fail') {
    element.ele('failure', { message, type: check.level }).txt(details(check));
  } else if (check.status === 'untestable') {
    element.ele('error', { message, type: 'untestable' }).txt(details(check));
  } else if (check.status === 'skip') {
    element.ele('skipped', { message });
  }
  const output = [
    ...(check.status === 'warn' ? [`Warning (${check.level}): ${details(check)}`] : []),
    ...exchangesOf(scenario, check).map(view.exchangeText),
  ];
  if (output.length > 0) element.ele('system-out').txt(output.join('\n\n'));
}

/** The first thing that is wrong. The name of the case is what was expected, so that is not repeated. */
function messageOf(check: CheckResult): string {
  const [first] = check.findings;
  if (first === undefined) return check.reason ?? '';
  return view.expectedBeyond(check, first) ?? first.seen;
}

function details(check: CheckResult): string {
  const { findings, moreFindings, reason, sources } = check;
  return [
    ...(reason === undefined ? [] : [plainText(reason)]),
    ...findings.map((finding) => {
      const expected = view.expectedBeyond(check, finding);
      const seen = `Seen: ${plainText(finding.seen)}`;
      return expected === undefined ? seen : `Expected: ${plainText(expected)}\n${seen}`;
    }),
    ...(moreFindings > 0 ? [`and ${moreFindings} more like it`] : []),
    plainText(sources.join(', ')),
  ].join('\n\n');
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
