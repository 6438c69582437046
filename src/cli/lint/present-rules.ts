import { sourceLink } from '../../conformance/engine/source-link.ts';
import type { Example, Rule } from '../../discovery/rules/rule.ts';
import { RULE_GROUPS, RULES } from '../../discovery/rules/rule-table.ts';
import type { Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';

/** Every rule of the linter, each with an example before and after. */
export function presentRules(): Rendering {
  return {
    schema: 'lintRules',
    json: () => ({
      rules: Object.entries(RULE_GROUPS).flatMap(([group, rules]) =>
        Object.entries<Rule>(rules).map(([rule, each]) => ({
          rule,
          group,
          severity: each.severity,
          severity_of_first: each.severityElsewhere ?? each.severity,
          rule_text: each.holds,
          why: each.why,
          source: each.source,
          link: sourceLink(each.source).href ?? null,
          before: each.before,
          after: each.after,
        })),
      ),
    }),
    human: (style) =>
      [
        ...Object.entries(RULE_GROUPS).flatMap(([group, rules]) => [
          style.bold(group),
          ...Object.entries<Rule>(rules).map(([id, rule]) => ruleText(style, id, rule)),
        ]),
        `${Object.keys(RULES).length} rules.`,
      ].join('\n\n'),
  };
}

function ruleText(style: Style, id: string, rule: Rule): string {
  const { holds, why, source, severity, severityElsewhere, before, after } = rule;
  const elsewhere = severityElsewhere === undefined ? '' : `; of v0.1 ${severityElsewhere}`;
  return [
    `${style.cyan(id)}  ${severity}${elsewhere}  ${style.dim(source)}`,
    `  ${holds} ${why}`,
    ...block('Before', before),
    ...block('After', after),
  ].join('\n');
}

function block(title: string, example: Example): readonly string[] {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return [`  ${title}:`, ...text.split('\n').map((line) => `    ${line}`)];
}
