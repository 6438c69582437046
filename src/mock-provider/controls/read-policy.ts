import { controlProblem, readNames, readOptionalText } from '../../mock/controls/read-control.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import { type PolicyRule, REFUSALS } from '../config/rules.ts';

const MEMBERS = ['user', 'group', 'client', 'audience', 'resource', 'scopes', 'max_age', 'refuse'];

/**
 * The rules of `POST /__mock/policy`, with the members that they have in a configuration file; `undefined` where
 * `policy` is null: the configured ones.
 * @throws WireProblem that names the member that is wrong.
 */
export function readPolicy({ policy }: JsonObject): readonly PolicyRule[] | undefined {
  if (policy === null) return undefined;
  if (!Array.isArray(policy) || !policy.every(isJsonObject)) {
    throw controlProblem('invalid_request', 'policy must be a list of rules, or null.');
  }
  return policy.map(readRule);
}

function readRule(rule: JsonObject): PolicyRule {
  const unknown = Object.keys(rule).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    throw controlProblem('invalid_request', `A rule has ${MEMBERS.join(', ')}.`);
  }
  const { max_age: maxAge } = rule;
  if (maxAge !== undefined && typeof maxAge !== 'number') {
    throw controlProblem('invalid_request', 'max_age must be a number of seconds.');
  }
  const code = readOptionalText(rule, 'refuse');
  const refuse = REFUSALS.find((known) => known === code);
  if (code !== undefined && refuse === undefined) {
    throw controlProblem(
      'invalid_request',
      `A provider refuses with no code ${JSON.stringify(code.slice(0, 64))}.${didYouMean(code, REFUSALS)} refuse must be one of ${REFUSALS.join(', ')}.`,
    );
  }
  const names = ['user', 'group', 'client', 'audience', 'resource'] as const;
  const texts = names.map((name) => [name, readOptionalText(rule, name)] as const);
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== undefined)),
    ...(rule['scopes'] !== undefined && { scopes: readNames(rule, 'scopes') }),
    ...(maxAge !== undefined && { maxAge }),
    ...(refuse && { refuse }),
  };
}

/** Rules as {@link readPolicy} takes them. */
export function policyJson(rules: readonly PolicyRule[]): readonly JsonObject[] {
  return rules.map(({ maxAge, ...rule }) => ({
    ...rule,
    ...(maxAge !== undefined && { max_age: maxAge }),
  }));
}
