import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { sourceLink } from '../../conformance/engine/source-link.ts';
import {
  RULE_GROUPS,
  RULES,
  type RuleId,
  severityOf,
  sourceOf,
} from '../../discovery/rules/rule-table.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { installedPage } from '../shell/installed-page.ts';
import type { Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';

/** An excerpt of a document, as JSON; or what no document shows: an answer, a tree of files. */
type Example = JsonObject | string;

/** What breaks each rule, and the same fixed. */
export function readExamples(): Readonly<Record<RuleId, Record<'before' | 'after', Example>>> {
  return parse(readFileSync(installedPage('fixtures/rule-examples.yaml', process.cwd()), 'utf8'));
}

/** Every rule of the linter, each with an example before and after. */
export function presentRules(): Rendering {
  const examples = readExamples();
  const groups = Object.entries(RULE_GROUPS).map(
    ([group, rules]) => [group, Object.keys(rules) as RuleId[]] as const,
  );
  return {
    schema: 'lintRules',
    json: () => ({
      rules: groups.flatMap(([group, rules]) =>
        rules.map((rule) => ({
          rule,
          group,
          severity: severityOf(rule),
          severity_of_first: severityOf(rule, true),
          rule_text: RULES[rule].holds,
          why: RULES[rule].why,
          source: sourceOf(rule),
          link: sourceLink(sourceOf(rule)).href ?? null,
          ...examples[rule],
        })),
      ),
    }),
    human: (style) =>
      [
        ...groups.flatMap(([group, rules]) => [
          style.bold(group),
          ...rules.map((rule) => ruleText(style, rule, examples[rule])),
        ]),
        `${Object.keys(RULES).length} rules.`,
      ].join('\n\n'),
  };
}

function ruleText(style: Style, id: RuleId, { before, after }: Record<string, Example>): string {
  const { holds, why } = RULES[id];
  const ofFirst = severityOf(id, true);
  const elsewhere = ofFirst === severityOf(id) ? '' : `; of v0.1 ${ofFirst}`;
  return [
    `${style.cyan(id)}  ${severityOf(id)}${elsewhere}  ${style.dim(sourceOf(id))}`,
    `  ${holds} ${why}`,
    ...block('Before', before),
    ...block('After', after),
  ].join('\n');
}

function block(title: string, example: Example | undefined): readonly string[] {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return [`  ${title}:`, ...text.split('\n').map((line) => `    ${line}`)];
}
