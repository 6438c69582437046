import { sep } from 'node:path';
import { plainText } from '../../conformance/engine/plain-text.ts';
import { sourceLink } from '../../conformance/engine/source-link.ts';
import { pointerOf, shownPath } from '../../discovery/document.ts';
import { RULES, type RuleId } from '../../discovery/rules/rule-table.ts';
import { lineOf } from './find-line.ts';
import type { Finding } from './finding.ts';
import type { LintDocument } from './lint-document.ts';
import { fingerprint, renderSarifLog } from './sarif-log.ts';

interface SarifSubject {
  readonly version: string;
  readonly documents: readonly LintDocument[];
  readonly findings: readonly Finding[];
}

/** The findings in SARIF 2.1.0: of a file at its line, of a URL at the URL. */
export function renderLintSarif({ version, documents, findings }: SarifSubject): string {
  const ids = [...new Set(findings.map(({ rule }) => rule))];
  return renderSarifLog({
    tool: 'agent-auth lint',
    version,
    rules: ids.map(ruleOf),
    category: 'agent-auth-lint/',
    invocation: { executionSuccessful: true },
    results: findings.map((finding) => resultOf(finding, ids.indexOf(finding.rule), documents)),
  });
}

function ruleOf(id: RuleId) {
  const { holds, why, source, severity } = RULES[id];
  const { href } = sourceLink(source);
  return {
    id,
    shortDescription: { text: holds },
    fullDescription: { text: why },
    help: { text: `${why} Source: ${source}.` },
    // A page of the package itself is a path, and no absolute URI (SARIF §3.49.12).
    ...(href !== undefined && URL.canParse(href) && { helpUri: href }),
    defaultConfiguration: { level: severity },
  };
}

function resultOf(finding: Finding, ruleIndex: number, documents: readonly LintDocument[]) {
  const { rule, severity, document, path, message, instead } = finding;
  const its = documents.find(({ name }) => name === document);
  const member = shownPath(path);
  const where = plainText(document ?? 'discovery documents', 2048);
  const uri = uriOf(its?.file) ?? `lint/${encodeURIComponent(where)}`;
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
            name: plainText(member || where),
            fullyQualifiedName: plainText(`${where}#${pointerOf(path)}`, 2048),
            kind: 'member',
          },
        ],
      },
    ],
    partialFingerprints: {
      'agentAuthLint/v1': fingerprint(rule, document ?? '', pointerOf(path), message),
    },
  };
}

/** Of a file below the working folder, with slashes; one elsewhere is no part of what is scanned. */
function uriOf(file: string | undefined): string | undefined {
  if (file === undefined || file.startsWith('..')) return undefined;
  return file
    .split(sep)
    .map((part) => encodeURIComponent(part))
    .join('/');
}
