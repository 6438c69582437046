import { pointerOf } from '../document.ts';
import type { Defect } from '../model.ts';
import { REQUIRED_RULES } from '../rules/required-rules.ts';
import { RULES, type RuleId } from '../rules/rule-table.ts';

/** Members that were made to say that nobody registers. */
const HONEST =
  /^(?:agent_auth\.)?(?:x-no-registration|no_registration|registration_(?:not_required|required|supported|enabled))$/;

/** What is wrong with a registration that does not exist, and says so, is not wrong. */
const ABOUT_REGISTRATION =
  /^(?:register-|identity-type|no-known-identity|claim-|token-endpoint|grants-|one-url|foreign-endpoint|own-members|assertion-types|misplaced|unknown-name)/;

/** Required of a service; who has none to register at is only reminded. */
const OF_SERVICES: ReadonlySet<RuleId> = new Set([
  'skill-missing',
  'skill-not-a-url',
  'response-types-missing',
  'authorization-servers-missing',
  'scopes-missing',
  'bearer-methods',
  'empty-list',
]);

/** What was found, once each, as heavy as it is in these documents. */
export function weigh(
  defects: readonly Defect[],
  isOldest: boolean,
): { readonly defects: readonly Defect[]; readonly isHonest: boolean } {
  const isHonest = defects.some(
    ({ rule, member }) => rule === 'says-no-registration' && HONEST.test(member),
  );
  const weighed = withoutRepeats(defects)
    .filter(({ rule }) => !(isHonest && ABOUT_REGISTRATION.test(rule)))
    .map((defect) => ({ ...defect, severity: severityOf(defect, isOldest, isHonest) }));
  return { defects: weighed.sort(byWeight), isHonest };
}

function severityOf(
  { rule, misleads }: Defect,
  isOldest: boolean,
  isHonest: boolean,
): Defect['severity'] {
  if (isHonest && rule === 'says-no-registration') return 'note';
  if (isHonest && OF_SERVICES.has(rule)) return 'warning';
  const { severity, severityElsewhere } = RULES[rule];
  // What an agent gets over may still be required of a newer family.
  return isOldest && !misleads ? (severityElsewhere ?? severity) : severity;
}

const RANK = { error: 0, warning: 1, note: 2 } as const;

/** The worst first; what misleads agents before what is required alone. */
export function byWeight(
  a: Pick<Defect, 'rule' | 'severity'>,
  b: Pick<Defect, 'rule' | 'severity'>,
): number {
  return (
    RANK[a.severity] - RANK[b.severity] ||
    Number(isRequiredAlone(a.rule)) - Number(isRequiredAlone(b.rule))
  );
}

function isRequiredAlone(rule: RuleId): boolean {
  return (
    OF_SERVICES.has(rule) || rule in REQUIRED_RULES || RULES[rule].severityElsewhere !== undefined
  );
}

/** Rules about any URL, of which a rule about this one says more. */
const ANY_URL: ReadonlySet<RuleId> = new Set(['not-a-url', 'url-template', 'relative-url']);

/** Found by two, of which the first says more. */
const ONCE: ReadonlySet<RuleId> = new Set([
  'assertion-types-missing',
  'claim-endpoint-missing',
  'grants-unfit',
  'skill-missing',
]);

/** Each thing once, by the rule that says most of it. */
function withoutRepeats(defects: readonly Defect[]): readonly Defect[] {
  const seen = new Set<string>();
  const whereOf = ({ document, path }: Defect) => `${document}#${pointerOf(path)}`;
  const registers = new Set(
    defects.filter(({ rule }) => rule === 'register-url-unusable').map(whereOf),
  );
  return defects.filter((each) => {
    if (ANY_URL.has(each.rule) && registers.has(whereOf(each))) return false;
    const key = `${each.rule} ${whereOf(each)} ${ONCE.has(each.rule) ? '' : each.message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
