import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import type { CheckResult, Report, ScenarioResult } from '../engine/model.ts';
import { plainText } from '../engine/plain-text.ts';
import { exchangesOf, exchangeText, expectedBeyond, withStatus } from './report-view.ts';

/**
 * JUnit XML: a suite a scenario, a case a check, the exchanges of its findings as `system-out`. What
 * could not be tested is an `error`; a warning is a case that passes and says so in its `system-out`,
 * because JUnit knows none.
 */
export function renderJunit(report: Report): string {
  const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\ufffd' });
  const { fail, untestable, skip } = report.summary.checks;
  const suites = document.ele('testsuites', {
    name: `agent-auth conformance ${report.role}`,
    tests: String(report.scenarios.reduce((sum, { checks }) => sum + checks.length, 0)),
    failures: String(fail),
    errors: String(untestable),
    skipped: String(skip),
    time: inSeconds(report.duration),
  });
  for (const scenario of report.scenarios) suite(suites, scenario, report);
  return `${document.end({ prettyPrint: true })}\n`;
}

function suite(parent: XMLBuilder, scenario: ScenarioResult, { seed, startedAt }: Report): void {
  const element = parent.ele('testsuite', {
    name: attribute(scenario.id),
    tests: String(scenario.checks.length),
    failures: String(withStatus(scenario, 'fail').length),
    errors: String(withStatus(scenario, 'untestable').length),
    skipped: String(withStatus(scenario, 'skip').length),
    time: inSeconds(scenario.duration),
    timestamp: startedAt,
  });
  element.ele('properties').ele('property', { name: 'seed', value: String(seed) });
  for (const check of scenario.checks) testCase(element, scenario, check);
}

function testCase(parent: XMLBuilder, scenario: ScenarioResult, check: CheckResult): void {
  const element = parent.ele('testcase', {
    classname: attribute(scenario.id),
    name: attribute(`${check.title} [${check.id}]`),
    time: '0',
  });
  const message = attribute(messageOf(check));
  if (check.status === 'fail') {
    element.ele('failure', { message, type: check.level }).txt(text(details(check)));
  } else if (check.status === 'untestable') {
    element.ele('error', { message, type: 'untestable' }).txt(text(details(check)));
  } else if (check.status === 'skip') {
    element.ele('skipped', { message });
  }
  const output = [
    ...(check.status === 'warn' ? [`Warning (${check.level}): ${details(check)}`] : []),
    ...exchangesOf(scenario, check).map(exchangeText),
  ];
  if (output.length > 0) element.ele('system-out').txt(text(output.join('\n\n')));
}

/** The first thing that is wrong. The name of the case is what was expected, so that is not repeated. */
function messageOf(check: CheckResult): string {
  const [first] = check.findings;
  if (first === undefined) return check.reason ?? '';
  return expectedBeyond(check, first) ?? first.seen;
}

function details(check: CheckResult): string {
  const { findings, moreFindings, reason, sources } = check;
  return [
    plainText(sources.join(', ')),
    ...(reason === undefined ? [] : [plainText(reason)]),
    ...findings.map((finding) => {
      const expected = expectedBeyond(check, finding);
      const seen = `Seen: ${plainText(finding.seen)}`;
      return expected === undefined ? seen : `Expected: ${plainText(expected)}\n${seen}`;
    }),
    ...(moreFindings > 0 ? [`and ${moreFindings} more like it`] : []),
  ].join('\n\n');
}

/** xmlbuilder2 takes a written-out ampersand for a reference; escaped before, it stays as it is meant. */
function text(value: string): string {
  return value.replaceAll('&', '&amp;');
}

function attribute(value: string): string {
  return text(plainText(value));
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
