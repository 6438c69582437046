import { displayText } from '../../protocol/index.ts';
import { pointerOf, shownPath } from '../document.ts';
import type { Read } from '../read-documents.ts';
import { CLIENT_RULES } from './client-rules.ts';
import type { Breach, Rule, Severity } from './rule.ts';
import { RULES, type RuleId, severityOf } from './rule-table.ts';

/** Something in the documents that its publisher should mend. */
export interface Defect extends Omit<Breach, 'misleads'> {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** Whether it keeps agents from registering, or leads them astray. */
  readonly misleads: boolean;
  /** The path, dotted as in `agent_auth.identity_endpoint`, and made safe to show. */
  readonly member: string;
  readonly message: string;
  /** What to write, or to do, instead. */
  readonly fix: string | undefined;
}

/** Members that were made to say that nobody registers. */
const HONEST =
  /^(?:agent_auth\.)?(?:x-no-registration|no_registration|registration_(?:not_required|required|supported|enabled))$/;

/** What is wrong with a registration that does not exist, and says so, is not wrong. */
const ABOUT_REGISTRATION =
  /^(?:register-|identity-type|no-known-identity|claim-|token-endpoint|grants-|one-url|foreign-endpoint|own-members|assertion-types|misplaced|unknown-name)/;

/** Rules about any URL, of which a rule about this one says more. */
const ANY_URL: ReadonlySet<RuleId> = new Set(['not-a-url', 'url-template', 'relative-url']);

const RANK = { error: 0, warning: 1, note: 2 } as const;

/** The worst first. */
export function byWeight(a: Pick<Defect, 'severity'>, b: Pick<Defect, 'severity'>): number {
  return RANK[a.severity] - RANK[b.severity];
}

/**
 * Every rule that the documents break, the worst first, and whether they say so themselves; and what holds of the
 * document of a client, where it has something that could break a rule.
 */
export function findDefects(read: Read) {
  const isOldest = read.families[0] === 'first';
  const found = (Object.keys(RULES) as RuleId[]).flatMap((rule) =>
    [RULES[rule].find?.(read) || []].flat().map((breach): Defect => {
      const { document, path, message, fix, misleads = RULES[rule].misleads ?? false } = breach;
      return {
        ...{ rule, document, path, misleads },
        member: displayText(shownPath(path), 300),
        message: message ?? RULES[rule].says ?? RULES[rule].holds,
        fix: fix ?? RULES[rule].instead,
        // What an agent gets over may still be required of a newer family.
        severity: severityOf(rule, isOldest && !misleads),
      };
    }),
  );
  const whereOf = ({ document, path }: Defect) => `${document}#${pointerOf(path)}`;
  const isSaid = new Set(found.filter(({ rule }) => rule === 'register-url-unusable').map(whereOf));
  const isHonest = found.some(
    ({ rule, member }) => rule === 'says-no-registration' && HONEST.test(member),
  );
  const defects = found
    .filter((each) => !(ANY_URL.has(each.rule) && isSaid.has(whereOf(each))))
    .filter(({ rule }) => !(isHonest && ABOUT_REGISTRATION.test(rule)))
    .map((each): Defect => (isHonest ? { ...each, severity: honestly(each) } : each));
  const held = Object.values<Rule>(CLIENT_RULES).flatMap(({ find, holds }) =>
    [find?.(read) ?? false].flat().length === 0 ? holds : [],
  );
  return { defects: defects.sort(byWeight), held, isHonest };
}

/** How bad it is where the documents say themselves that nobody registers. */
function honestly({ rule, severity }: Defect): Defect['severity'] {
  if (rule === 'says-no-registration') return 'note';
  return RULES[rule].ofServices ? 'warning' : severity;
}
