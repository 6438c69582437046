import { pointerOf } from '../../discovery/document.ts';
import { type Defect, type Recognition, recognise } from '../../discovery/index.ts';
import { byWeight } from '../../discovery/rules/find-defects.ts';
import { severityOf } from '../../discovery/rules/rule-table.ts';
import type { Finding, LintDocument, LintProfile, Report } from './finding.ts';

/** What the documents amount to, and what is wrong in them. */
export interface Judgement {
  /** The recognition of the server that agents would take; `undefined` without a document. */
  readonly recognition: Recognition | undefined;
  /** The documents say of themselves that nobody registers: that is no mistake. */
  readonly isHonest: boolean;
  readonly findings: readonly Finding[];
}

/** Judges documents. `found` is what was wrong already while they were collected. */
export function judge(documents: readonly LintDocument[], found: readonly Finding[]): Judgement {
  const readable = documents.filter(({ json }) => json !== undefined);
  const servers = readable.filter(({ kind }) => kind === 'server' || kind === 'block');
  const [resource, ...others] = readable.filter(({ kind }) => kind === 'resource');
  const client = readable.find(({ kind }) => kind === 'client');
  const skill = documents.find(({ kind }) => kind === 'skill')?.text;
  const judged = (servers.length === 0 ? [undefined] : servers).map((server) =>
    judgePair(server, resource, client, skill),
  );
  const best =
    judged.find(({ recognition }) => recognition.verdict === 'usable') ?? (judged[0] as Pair);
  const findings = [
    ...judged.flatMap(({ findings }) => findings),
    // Beside one server a folder may hold the metadata of several resources.
    ...others.flatMap((other) =>
      judgePair(servers[0], other, client, skill).findings.filter(
        ({ document }) => document === other.name,
      ),
    ),
  ].filter(
    (finding) =>
      // What one server lacks, another may have.
      finding.document !== resource?.name || judged.every(({ keys }) => keys.has(keyOf(finding))),
  );
  return {
    recognition: documents.length === 0 ? undefined : best.recognition,
    isHonest: judged.some(({ recognition }) => recognition.isHonest),
    findings: inOrder(documents, capped(once([...found, ...findings]))),
  };
}

interface Pair {
  readonly recognition: Recognition;
  readonly findings: readonly Finding[];
  readonly keys: ReadonlySet<string>;
}

function judgePair(
  server: LintDocument | undefined,
  resource: LintDocument | undefined,
  client: LintDocument | undefined,
  skill: string | undefined,
): Pair {
  const recognition = recognise({
    server: server?.json,
    isBlock: server?.kind === 'block',
    client: client?.json,
    at: server?.url ?? resource?.url ?? client?.url,
    resource: resource?.json,
    resourceAt: resource?.url,
    skill,
  });
  const nameOf = (document: Defect['document']) =>
    (document === 'client' ? client : document === 'resource' ? resource : (server ?? resource))
      ?.name;
  const findings = recognition.defects.map(
    ({ rule, severity, document, path, message, fix: instead }): Finding => ({
      ...{ rule, severity, path, message, instead },
      document: nameOf(document),
    }),
  );
  return { recognition, findings, keys: new Set(findings.map(keyOf)) };
}

/** Nobody asks an MCP server for a registration of agents, where it describes none. */
export function asked(judgement: Judgement, profile: LintProfile | undefined): Judgement {
  if (profile !== 'mcp') return judgement;
  const findings = judgement.findings.filter(({ rule }) => rule !== 'agent-auth-missing');
  return { ...judgement, findings };
}

/** Adds findings with the severity of their rule. */
export function reporter(findings: Finding[]): Report {
  return (rule, document, message, instead, path = []) => {
    findings.push({ rule, severity: severityOf(rule), document, path, message, instead });
  };
}

const keyOf = ({ rule, document, path }: Finding) => `${rule} ${document}#${pointerOf(path)}`;

/** What is found by several servers, or by a place and a document, is said once. */
function once(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const isOfPlace = finding.rule === 'authorization-server-unusable';
    const key = `${keyOf(finding)} ${isOfPlace ? '' : finding.message}`;
    if (!seen.has(key)) seen.set(key, finding);
  }
  return [...seen.values()];
}

/** The most findings of one rule in one document. */
const MOST_ALIKE = 20;

/** The findings up to the cap: of more, the last one that is left says how many there are. */
function capped(findings: readonly Finding[]): readonly Finding[] {
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.document}`;
    const its = alike.get(key);
    if (its === undefined) alike.set(key, [finding]);
    else its.push(finding);
  }
  return [...alike.values()].flatMap((all) => {
    const more = all.length - MOST_ALIKE;
    const last = all[MOST_ALIKE - 1];
    if (more <= 0 || last === undefined) return all;
    const message = `${last.message} And ${more} more like it.`;
    return [...all.slice(0, MOST_ALIKE - 1), { ...last, message }];
  });
}

/** Orders findings by document, the worst first. What is about no document comes first. */
function inOrder(
  documents: readonly LintDocument[],
  findings: readonly Finding[],
): readonly Finding[] {
  const names = documents.map(({ name }) => name);
  const at = ({ document }: Finding) => (document === undefined ? -1 : names.indexOf(document));
  return [...findings].sort((a, b) => at(a) - at(b) || byWeight(a, b));
}
