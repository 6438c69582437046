import type { CheckResult, Finding, Report, ScenarioResult } from '../engine/model.ts';
import { plainText } from '../engine/plain-text.ts';
import { sourceLink } from '../engine/source-link.ts';
import { exchangeOf } from './report-view.ts';
import { fingerprint, renderSarifLog } from './sarif-log.ts';

/** What is reported; what passed or was skipped is not. */
const SEVERITY = { fail: 'error', warn: 'warning', untestable: 'note' } as const;
type Told = CheckResult & { readonly status: keyof typeof SEVERITY };

/**
 * SARIF. A rule for each check that is told of; its fingerprint is the check and the path, so that an alert is the same one in the next run.
 */
export function renderSarif(report: Report): string {
  const told = report.scenarios.flatMap((scenario) =>
    scenario.checks.filter(isTold).map((check) => ({ scenario, check })),
  );
  const rules = told.map(({ check }) => ruleOf(check));
  return renderSarifLog({
    tool: 'agent-auth conformance',
    version: report.version,
    rules,
    category: `agent-auth-conformance/${report.role}/`,
    invocation: {
      executionSuccessful: !report.verdict.interrupted,
      startTimeUtc: report.startedAt,
    },
    results: told.map(({ scenario, check }, ruleIndex) =>
      resultOf(report, scenario, check, ruleIndex),
    ),
  });
}

function isTold(check: CheckResult): check is Told {
  return check.status in SEVERITY;
}

function ruleOf({ id, title, level, section, requirements, sources }: CheckResult) {
  const [link] = sources.map((source) => sourceLink(source).href).filter(isWeb);
  const listed = sources.map((source) => plainText(source)).join(', ');
  return {
    id,
    shortDescription: { text: plainText(title, 1000) },
    help: { text: `Source: ${listed || 'none'}.` },
    ...(link !== undefined && { helpUri: link }),
    properties: { tags: [section, level], requirements },
  };
}

/** A link of the package itself is a path; `helpUri` is an absolute URI (SARIF §3.49.12). */
function isWeb(href: string | undefined): href is string {
  return href !== undefined && URL.canParse(href);
}

function resultOf(report: Report, scenario: ScenarioResult, check: Told, ruleIndex: number) {
  const [first] = check.findings;
  const url = first && exchangeOf(scenario, first)?.request.url;
  return {
    ruleId: check.id,
    ruleIndex,
    level: SEVERITY[check.status],
    message: { text: messageOf(check, first) },
    locations: [locationOf(report, scenario, url)],
    partialFingerprints: { 'agentAuthCheck/v1': fingerprint(report.role, check.id) },
    ...(check.known !== undefined && {
      suppressions: [
        { kind: 'external', justification: plainText(check.known || 'Listed in the baseline.') },
      ],
    }),
  };
}

function messageOf({ title, reason, moreFindings, findings }: Told, first: Finding | undefined) {
  if (first === undefined) {
    return `${plainText(title)} Could not be tested: ${plainText(reason ?? 'no reason was given.')}`;
  }
  const more = findings.length - 1 + moreFindings;
  const expected = first.expected === title ? '' : ` Expected: ${plainText(first.expected)}.`;
  const rest = more > 0 ? ` And ${more} more like it.` : '';
  return `${plainText(title)}${expected} Seen: ${plainText(first.seen)}.${rest}`;
}

/** There is no file to point into: the scenario stands for one, beside the URL that the exchange went to. */
function locationOf({ role }: Report, { id, title }: ScenarioResult, url: string | undefined) {
  const where = url === undefined ? id : plainText(url, 2048);
  return {
    physicalLocation: {
      artifactLocation: { uri: `conformance/${role}/${encodeURIComponent(id)}` },
      region: { startLine: 1 },
    },
    logicalLocations: [
      {
        name: plainText(title),
        fullyQualifiedName: where,
        kind: url === undefined ? 'scenario' : 'resource',
      },
    ],
  };
}
