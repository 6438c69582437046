import { type Defect, type Recognition, recognise } from '../../discovery/index.ts';
import type { LintDocument, MemberPath } from './document.ts';
import { pointerOf } from './document.ts';
import type { Finding, Report } from './finding.ts';
import { checkAuthorizationServers } from './rules/authorization-servers.ts';
import { checkBlock, checkLists, checkPlaceholders } from './rules/block.ts';
import { checkPlaces } from './rules/issuer.ts';
import { type JsonDocument, sort } from './rules/judged.ts';
import { checkMembersInPlace, checkNames } from './rules/names.ts';
import { checkRequired } from './rules/required.ts';
import { REQUIRED_RULES } from './rules/required-rules.ts';
import { checkEmptyLists, checkPlainUrls, checkResourceMembers } from './rules/resource-members.ts';
import { LINT_RULES, type LintRuleId } from './rules/rule-table.ts';
import { checkServerMembers } from './rules/server-members.ts';

const CHECKS = [
  checkPlaces,
  checkAuthorizationServers,
  checkServerMembers,
  checkResourceMembers,
  checkEmptyLists,
  checkPlainUrls,
  checkBlock,
  checkNames,
  checkMembersInPlace,
  checkLists,
  checkPlaceholders,
];

/** What the documents amount to, and what is wrong in them. */
export interface Judgement {
  /** Of the server that agents would take; `undefined` without a document. */
  readonly recognition: Recognition | undefined;
  /** The documents say of themselves that nobody registers: that is no mistake. */
  readonly isHonest: boolean;
  readonly findings: readonly Finding[];
}

/** Judges documents. `found` is what was wrong already while they were collected. */
export function judge(documents: readonly LintDocument[], found: readonly Finding[]): Judgement {
  const findings: Finding[] = [];
  const report = reporter(findings);
  const judged = sort(documents);
  for (const check of CHECKS) check(judged, report);
  const resource = judged.resources[0];
  const skill = documents.find(({ kind }) => kind === 'skill')?.text;
  const servers = judged.all.filter(({ kind }) => kind === 'server' || kind === 'block');
  const recognised = (servers.length === 0 ? [undefined] : servers).map((server) => ({
    server,
    recognition: recognise({
      server: server?.json,
      resource: resource?.json,
      skill,
      at: server?.url ?? resource?.url,
    }),
  }));
  for (const { server, recognition } of recognised) {
    findings.push(...recognisedFindings(recognition, server, resource));
    checkRequired(judged, server, recognition, report);
  }
  const best =
    recognised.find(({ recognition }) => recognition.verdict === 'usable') ?? recognised[0];
  const isHonest = findings.some(saysSo);
  const all = [...found, ...findings];
  const weighed = isOldest(best?.recognition) ? all.map(weighedElsewhere) : all;
  return {
    recognition: documents.length === 0 ? undefined : best?.recognition,
    isHonest,
    findings: inOrder(documents, capped(withoutRepeats(isHonest ? forgiving(weighed) : weighed))),
  };
}

/** Adds findings with the severity of their rule. */
export function reporter(findings: Finding[]): Report {
  return ({ path = [], instead, ...finding }) => {
    findings.push({ ...finding, path, instead, severity: LINT_RULES[finding.rule].severity });
  };
}

function isOldest(recognition: Recognition | undefined): boolean {
  return recognition?.families[0] === 'first';
}

/** Rules about members, each found by a rule here; what recognition finds has been weighed. */
const OF_ITS_BLOCK: ReadonlySet<LintRuleId> = new Set(['skill-missing', 'assertion-types-missing']);

function weighedElsewhere(finding: Finding): Finding {
  const { severityElsewhere: severity } = LINT_RULES[finding.rule];
  return severity === undefined || !OF_ITS_BLOCK.has(finding.rule)
    ? finding
    : { ...finding, severity };
}

function recognisedFindings(
  recognition: Recognition,
  server: JsonDocument | undefined,
  resource: JsonDocument | undefined,
): readonly Finding[] {
  const { defects, verdict, reason, evidence, foundIn } = recognition;
  const nameOf = (document: Defect['document']) =>
    (document === 'resource' ? resource : (server ?? resource))?.name;
  const findings = defects.map(({ document, member, message, fix, ...defect }): Finding => {
    const rule = defect.rule.replaceAll('_', '-') as LintRuleId;
    const { severity, severityElsewhere } = LINT_RULES[rule];
    return {
      rule,
      // What an agent gets over may still be required.
      severity:
        severityElsewhere !== undefined && isOldest(recognition) ? defect.severity : severity,
      document: nameOf(document),
      path: pathOf(member),
      message,
      instead: fix,
    };
  });
  if (verdict !== 'client_registration') return findings;
  const [first] = evidence;
  return [
    ...findings,
    {
      rule: 'register-url-is-client-registration',
      severity: LINT_RULES['register-url-is-client-registration'].severity,
      document: nameOf(first?.document ?? foundIn ?? 'server'),
      path: pathOf(first?.member ?? 'agent_auth'),
      message: reason,
      instead: 'Name it in registration_endpoint beside agent_auth, and leave agent_auth out.',
    },
  ];
}

/** `agent_auth.registration_methods[0].register_uri` as a path. */
export function pathOf(member: string): MemberPath {
  return [...member.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) =>
    index === undefined ? part : Number(index),
  );
}

/** Members that were made to say that nobody registers. */
const HONEST =
  /^(?:agent_auth\.)?(?:x-no-registration|no_registration|registration_(?:not_required|required|supported|enabled))$/;

function saysSo({ rule, path }: Finding): boolean {
  return rule === 'says-no-registration' && HONEST.test(path.join('.'));
}

/** What is wrong with a registration that does not exist, and says so, is not wrong. */
const ABOUT_REGISTRATION =
  /^(?:register-|identity-type|no-known-identity|claim-|token-endpoint|grants-|one-url|foreign-endpoint|own-members|assertion-types|misplaced|unknown-name)/;

/** Required of a service; who has none to register at is only reminded. */
const OF_SERVICES: ReadonlySet<LintRuleId> = new Set([
  'skill-missing',
  'skill-not-a-url',
  'response-types-missing',
  'authorization-servers-missing',
  'scopes-missing',
  'bearer-methods',
  'empty-list',
]);

function forgiving(findings: readonly Finding[]): readonly Finding[] {
  return findings
    .filter(({ rule }) => !ABOUT_REGISTRATION.test(rule))
    .map((finding): Finding => {
      if (finding.rule === 'says-no-registration') return { ...finding, severity: 'note' };
      return OF_SERVICES.has(finding.rule) ? { ...finding, severity: 'warning' } : finding;
    });
}

/** Rules about any URL, of which a rule about this one says more. */
const ANY_URL: ReadonlySet<LintRuleId> = new Set(['not-a-url', 'url-template', 'relative-url']);

/** Found by two, of which the first says more. */
const ONCE: ReadonlySet<LintRuleId> = new Set([
  'assertion-types-missing',
  'authorization-server-unusable',
  'claim-endpoint-missing',
  'grants-unfit',
  'skill-missing',
]);

/** Each thing once, by the rule that says most of it. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  const registers = new Set(
    findings.filter(({ rule }) => rule === 'register-url-unusable').map(whereOf),
  );
  return findings.filter((finding) => {
    if (ANY_URL.has(finding.rule) && registers.has(whereOf(finding))) return false;
    const key = ONCE.has(finding.rule)
      ? `${finding.rule} ${whereOf(finding)}`
      : `${finding.rule} ${whereOf(finding)} ${finding.message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function whereOf({ document, path }: Finding): string {
  return `${document ?? ''}#${pointerOf(path)}`;
}

/** The most findings of one rule in one document. */
const MOST_ALIKE = 20;

/** Of more than that, the last one that is left says how many there are. */
function capped(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  const keyOf = ({ rule, document }: Finding) => `${rule} ${document ?? ''}`;
  const kept = findings.filter((finding) => {
    const count = (counts.get(keyOf(finding)) ?? 0) + 1;
    counts.set(keyOf(finding), count);
    return count <= MOST_ALIKE;
  });
  const last = new Map(kept.map((finding) => [keyOf(finding), finding]));
  return kept.map((finding) => {
    const more = (counts.get(keyOf(finding)) ?? 0) - MOST_ALIKE;
    if (more <= 0 || last.get(keyOf(finding)) !== finding) return finding;
    return { ...finding, message: `${finding.message} And ${more} more like it.` };
  });
}

const RANK = { error: 0, warning: 1, note: 2 } as const;

/** By document, the worst first. What is about none comes first. */
function inOrder(
  documents: readonly LintDocument[],
  findings: readonly Finding[],
): readonly Finding[] {
  const names = documents.map(({ name }) => name);
  const at = ({ document }: Finding) => (document === undefined ? -1 : names.indexOf(document));
  return [...findings].sort(
    (a, b) =>
      at(a) - at(b) ||
      RANK[a.severity] - RANK[b.severity] ||
      Number(isRequiredAlone(a)) - Number(isRequiredAlone(b)),
  );
}

/** Something is missing that is required; what misleads agents comes before it. */
function isRequiredAlone({ rule }: Finding): boolean {
  return (
    OF_SERVICES.has(rule) ||
    rule in REQUIRED_RULES ||
    LINT_RULES[rule].severityElsewhere !== undefined
  );
}
