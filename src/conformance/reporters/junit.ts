import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import type { CheckResult, Report, ScenarioResult } from '../model.ts';
import { plainLines, plainText } from './plain-text.ts';
import { exchangeOf, exchangeText, withStatus } from './report-view.ts';

/**
 * JUnit XML: a suite a scenario, a case a check. What could not be tested is an `error`; a warning is
 * a case that passes and says so in its `system-out`, because JUnit knows none.
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

function suite(parent: XMLBuilder, scenario: ScenarioResult, { startedAt }: Report): void {
  const element = parent.ele('testsuite', {
    name: attribute(scenario.id),
    tests: String(scenario.checks.length),
    failures: String(withStatus(scenario, 'fail').length),
    errors: String(withStatus(scenario, 'untestable').length),
    skipped: String(withStatus(scenario, 'skip').length),
    time: inSeconds(scenario.duration),
    timestamp: startedAt,
  });
  for (const check of scenario.checks) testCase(element, scenario, check);
}

function testCase(parent: XMLBuilder, scenario: ScenarioResult, check: CheckResult): void {
  const element = parent.ele('testcase', {
    classname: attribute(scenario.id),
    name: attribute(`${check.title} [${check.id}]`),
    time: '0',
  });
  const message = attribute(check.findings[0]?.expected ?? check.reason ?? '');
  if (check.status === 'fail') {
    element.ele('failure', { message, type: check.level }).txt(text(details(scenario, check)));
  } else if (check.status === 'untestable') {
    element.ele('error', { message, type: 'untestable' });
  } else if (check.status === 'skip') {
    element.ele('skipped', { message });
  } else if (check.status === 'warn') {
    element.ele('system-out').txt(text(`Warning (${check.level})\n${details(scenario, check)}`));
  }
}

function details(scenario: ScenarioResult, check: CheckResult): string {
  const findings = check.findings.map((finding) => {
    const exchange = exchangeOf(scenario, finding);
    return [
      `Expected: ${finding.expected}`,
      `Seen: ${plainText(finding.seen)}`,
      ...(exchange === undefined ? [] : [plainLines(exchangeText(exchange))]),
    ].join('\n');
  });
  return [check.sources.join(', '), ...findings].join('\n\n');
}

/** xmlbuilder2 takes a written-out ampersand for a reference; escaped before, it stays as it is meant. */
function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('\r', '&#13;');
}

function attribute(value: string): string {
  return text(plainText(value));
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
