import { NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isGranted, scopesOf } from '../../steps/answers.ts';
import { askOwner, confirm } from '../../steps/confirmation.ts';
import { makeOwner } from '../../steps/existing-account.ts';
import { mustRegister } from '../../steps/present-id-jag.ts';

export const confirmedScope = serviceScenario({
  id: 'confirmed-scope',
  title: 'What an ID-JAG narrows stays narrow: renewed, confirmed, exchanged',
  checks: {
    renewed: 'After an ID-JAG that narrows the scope, its assertion gives no scope beyond it.',
    confirmed: 'A link that its owner confirmed has no scope beyond that of its ID-JAG.',
    exchanged: 'Neither has a token for its assertion, whatever scope is asked for.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { client } = world;
    const wide = await mustRegister(world);
    const [only, ...others] = scopesOf(await client.exchange(wide.identityAssertion)) ?? [];
    const beyond = others[0];
    if (only === undefined || beyond === undefined) {
      const reason = 'The service grants less than two scopes.';
      return judge.skip(['renewed', 'confirmed', 'exchanged'], reason);
    }
    const narrowed = { claims: { scope: only } };
    const narrow = await mustRegister(world, world.freshSubject(), narrowed);
    const given = scopesOf(await client.exchange(narrow.identityAssertion)) ?? [];
    if (given.includes(beyond)) {
      throw new NotApplicable('An ID-JAG narrows nothing here: id-jag-scope.narrowed.');
    }
    const expectNarrow = (
      name: 'renewed' | 'confirmed' | 'exchanged',
      answer: Answer,
      what?: string,
    ) => {
      const isNarrow = !isGranted(answer) || (scopesOf(answer) ?? []).every((one) => one === only);
      judge.expect(name, isNarrow, answer, { case: what });
    };
    const next = await mustRegister(world, wide, narrowed);
    expectNarrow('renewed', await client.exchange(next.identityAssertion));

    const { email } = await makeOwner(world);
    const subject = { ...world.freshSubject(), email };
    const link = await confirm(world, await askOwner(world, subject, narrowed), email);
    expectNarrow('confirmed', link.polled);
    for (const more of [{}, { scope: beyond }, { scope: `${only} ${beyond}` }]) {
      const answer = await client.exchange(link.assertion, more);
      expectNarrow('exchanged', answer, JSON.stringify(more));
    }
  },
});
