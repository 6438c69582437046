import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';

export interface MockPolicyOptions {
  readonly user?: string;
  readonly group?: string;
  readonly client?: string;
  readonly audience?: string;
  readonly resource?: string;
  /** Names, separated by spaces. */
  readonly scopes?: string;
  readonly refuse?: string;
  readonly clear?: true;
}

/** Shows what the running mock provider lets clients reach, puts a rule before the others, or takes all back. */
export async function mockPolicy(
  context: Context,
  { clear, scopes, ...rest }: MockPolicyOptions,
): Promise<Outcome> {
  const rule = {
    ...rest,
    ...(scopes !== undefined && { scopes: scopes.split(' ').filter(Boolean) }),
  };
  const isRule = Object.keys(rule).length > 0;
  if (clear === true && isRule) throw usageError('--clear takes nothing beside it.');
  const target = await findMock(context, 'provider');
  const before = await callControl(context, target, '/policy');
  const after =
    clear === true
      ? await callControl(context, target, '/policy', { policy: null })
      : isRule
        ? await callControl(context, target, '/policy', { policy: [rule, ...rulesOf(before)] })
        : before;
  context.output.result(present(target.issuer, rulesOf(after)));
  return 'done';
}

function rulesOf({ policy }: JsonObject): readonly JsonObject[] {
  return Array.isArray(policy) ? policy.filter(isJsonObject) : [];
}

function present(provider: string, rules: readonly JsonObject[]): Rendering {
  return {
    schema: 'mockPolicy',
    wraps: true,
    json: () => ({ provider, policy: rules }),
    human: () =>
      rules.length === 0
        ? 'Every client reaches what it asks for.'
        : rules.map((rule, at) => `${at + 1}. ${displayText(sentence(rule), 1000)}`).join('\n'),
  };
}

/** `user alice@example.com, client app: refused with access_denied`. */
function sentence({ max_age: age, refuse, scopes, ...selects }: JsonObject): string {
  const who = Object.entries(selects).map(([name, value]) => `${name} ${value}`);
  const what =
    refuse !== undefined
      ? `refused with ${refuse}`
      : Array.isArray(scopes)
        ? `gets ${scopes.join(' ') || 'no scope'} of what it asks for`
        : 'gets what it asks for';
  const fresh = age === undefined ? '' : ` after a sign-in of the last ${age} s`;
  return `${who.join(', ') || 'everybody'}: ${what}${fresh}`;
}
