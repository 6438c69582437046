import { NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isGranted, scopesOf } from '../../steps/answers.ts';

const UNASKED =
  'Where the scopes are those of the ID-JAG, RFC 6749 §5.1 can be read to ask for none: no other ones were asked for.';

export const redemptionScope = serviceScenario({
  id: 'redemption-scope',
  title: 'A token may do what both the ID-JAG and the request say',
  checks: {
    'within-claim': 'No scope is granted beyond the claim `scope`, whatever is asked for.',
    'within-request': 'No scope is granted beyond the parameter `scope`.',
    'claim-alone': 'Without the parameter, the scopes of the claim are granted, and no others.',
    default: 'An ID-JAG without `scope` is not granted every scope.',
    told: 'The answer names the scopes where they are not those that were asked for.',
  },
  restsOn: { 'claim-alone': 'redemption-scope.within-claim' },
  blockedBy: ['redemption.granted'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const [scope, known] = redeemer.scopes;
    if (scope === undefined) {
      throw new NotApplicable(
        'No scopes are known: neither resource nor server lists scopes_supported.',
      );
    }
    await redeemer.unlock();
    const another = known ?? world.invented.scope();
    const ask = (claim: string | undefined, parameter?: string) =>
      redeemer.redeemNew({ claims: { scope: claim } }, undefined, {
        form: parameter === undefined ? {} : { scope: parameter },
      });
    const within =
      (...allowed: readonly string[]) =>
      (answer: Answer) => {
        const given = scopesOf(answer);
        // A refusal grants nothing; what is not told is another finding.
        if (!isGranted(answer) || given === undefined) return { ok: true };
        return { ok: given.length > 0 && given.every((each) => allowed.includes(each)) };
      };
    const told = (answer: Answer) => ({
      ok: !isGranted(answer) || scopesOf(answer) !== undefined,
      seen: 'The answer has no scope.',
    });

    const more = await ask(scope, `${scope} ${another}`);
    const beyond = `claim ${scope}, parameter ${scope} ${another}`;
    judge.table(more, { 'within-claim': within(scope), told }, { case: beyond });
    const outside = await ask(scope, another);
    judge.table(
      outside,
      { 'within-claim': within(scope) },
      { case: `claim ${scope}, parameter ${another}` },
    );
    const alone = await ask(scope);
    judge.table(
      alone,
      { 'claim-alone': within(scope), told: (answer) => ({ ...told(answer), reading: UNASKED }) },
      { case: `claim ${scope}` },
    );
    if (known === undefined) {
      judge.skip(['default', 'within-request'], 'Only one scope is known.');
      return;
    }
    const both = `${scope} ${known}`;
    judge.table(
      await ask(both, scope),
      { 'within-request': within(scope) },
      { case: `claim ${both}, parameter ${scope}` },
    );
    const unnamed = await ask(undefined);
    const granted = scopesOf(unnamed) ?? [];
    const isAll = isGranted(unnamed) && redeemer.scopes.every((each) => granted.includes(each));
    judge.table(unnamed, { default: { ok: !isAll } }, { case: 'without the claim' });
  },
});
