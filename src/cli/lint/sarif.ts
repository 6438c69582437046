import { createHash } from 'node:crypto';
import { sep } from 'node:path';
import { ownPackage } from '../../conformance/engine/own-package.ts';
import { plainText } from '../../conformance/engine/plain-text.ts';
import { sourceLink } from '../../conformance/engine/source-link.ts';
import { renderJsonValue } from '../../conformance/reporters/json.ts';
import { pointerOf, shownPath } from '../../discovery/document.ts';
import { RULES, type RuleId, severityOf } from '../../discovery/rules/rule-table.ts';
import { readVersion } from '../shell/version.ts';
import { lineOf } from './find-line.ts';
import type { Finding, LintDocument } from './finding.ts';
import { sourceIn } from './present.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** The findings in SARIF 2.1.0: of a file at its line, of a URL at the URL. */
export function renderLintSarif(run: {
  readonly documents: readonly LintDocument[];
  readonly findings: readonly Finding[];
}): string {
  const { documents, findings } = run;
  const ids = [...new Set(findings.map(({ rule }) => rule))];
  const { homepage } = ownPackage();
  const rules = ids.map((id) => {
    const its = findings.filter(({ rule }) => rule === id);
    return ruleOf(id, [...new Set(its.map((finding) => sourceIn(finding, documents)))]);
  });
  return renderJsonValue({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'agent-auth lint',
            semanticVersion: readVersion(),
            ...(homepage === undefined ? {} : { informationUri: homepage }),
            rules,
          },
        },
        // By which a place that keeps alerts tells runs of one kind; it ends in a slash.
        automationDetails: { id: 'agent-auth-lint/' },
        invocations: [{ executionSuccessful: true }],
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, ids.indexOf(finding.rule), documents)),
      },
    ],
  });
}

/** @param sources those of the documents in which it was broken. */
function ruleOf(id: RuleId, sources: readonly string[]) {
  const { holds, why } = RULES[id];
  const { href } = sourceLink(sources[0] ?? '');
  return {
    id,
    shortDescription: { text: holds },
    fullDescription: { text: why },
    help: { text: `${why} Source: ${sources.join(', ')}.` },
    // A page of the package itself is a path, and no absolute URI (SARIF §3.49.12).
    ...(href !== undefined && URL.canParse(href) && { helpUri: href }),
    defaultConfiguration: { level: severityOf(id) },
  };
}

function resultOf(finding: Finding, ruleIndex: number, documents: readonly LintDocument[]) {
  const { rule, severity, document, path, message, instead } = finding;
  const its = documents.find(({ name }) => name === document);
  const where = plainText(document ?? 'discovery documents', 2048);
  const uri = uriOf(its?.file) ?? `lint/${encodeURIComponent(where)}`;
  // What makes a result the same one in the next run.
  const same = [rule, document ?? '', pointerOf(path), message].join('\n');
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: {
      text: plainText([message, instead && `Instead: ${instead}`].filter(Boolean).join(' '), 2000),
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri },
          region: { startLine: lineOf(finding, documents) ?? 1 },
        },
        logicalLocations: [
          {
            name: plainText(shownPath(path) || where),
            fullyQualifiedName: plainText(`${where}#${pointerOf(path)}`, 2048),
            kind: 'member',
          },
        ],
      },
    ],
    partialFingerprints: {
      'agentAuthLint/v1': createHash('sha256').update(same).digest('hex').slice(0, 32),
    },
  };
}

/** The URI of a file below the working folder, with slashes; one elsewhere is no part of what is scanned. */
function uriOf(file: string | undefined): string | undefined {
  if (file === undefined || file.startsWith('..')) return undefined;
  return file
    .split(sep)
    .map((part) => encodeURIComponent(part))
    .join('/');
}
