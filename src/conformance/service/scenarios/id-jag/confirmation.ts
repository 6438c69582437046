import { NotApplicable } from '../../../engine/judge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import {
  expectNoTakeover,
  expectOwnerAsked,
  hasAccessOf,
  NOBODY_IS_ASKED,
} from '../../steps/account-access.ts';
import { error } from '../../steps/answers.ts';
import {
  decideInteraction,
  interactionOf,
  makeOwner,
  mustRequireInteraction,
} from '../../steps/existing-account.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { isAccepted, mustBeAccepted, present } from '../../steps/present-id-jag.ts';

export const idJagConfirmation = serviceScenario({
  id: 'id-jag-confirmation',
  title: 'An ID-JAG for an existing account asks its owner first',
  checks: {
    'never-silent': 'No ID-JAG is linked to an account before its owner has agreed.',
    asked: 'The agent is answered 401 interaction_required with claim_token and a claim.',
    'other-subject': 'Another subject with the same email asks the owner again.',
    'case-of-email': 'An email in capitals is the same account.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    world.idJag(world.freshSubject());
    const owner = await makeOwner(world);
    const { email } = owner;
    const ask = (whom: typeof subject) => present(world, world.idJag(whom));
    const subject = { ...world.freshSubject(), email };
    const answer = await ask(subject);
    expectOwnerAsked(judge, 'never-silent', answer);
    judge.table(answer, {
      asked: [error(401, 'interaction_required'), { ok: interactionOf(answer) !== undefined }],
    });
    mustRequireInteraction(answer);
    const again = await ask(subject);
    await expectNoTakeover(judge, 'never-silent', world, owner, again);
    const second = mustRequireInteraction(again);
    await decideInteraction(world, second, email, 'approve');
    await pollPatiently(world, second.claimToken);
    const other = await ask({ ...world.freshSubject(), email });
    await expectNoTakeover(judge, 'other-subject', world, owner, other);
    const capitals = await ask({ ...world.freshSubject(), email: email.toUpperCase() });
    judge.expect('case-of-email', !capitals.ok && isAccepted(capitals), capitals);
  },
});

export const idJagDenial = serviceScenario({
  id: 'id-jag-denial',
  title: 'The owner of an account denies the link, and keeps the account',
  checks: {
    denied: 'After a denial, polls are answered access_denied.',
    'still-asked': 'After a denial the next ID-JAG is not linked either.',
    unverified: 'An email that its provider did not verify leads to no account.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const owner = await makeOwner(world);
    const { email } = owner;
    const subject = { ...world.freshSubject(), email };
    for (const verified of [false, undefined, 'true', 1]) {
      const claims = { email_verified: verified };
      const whom = { ...world.freshSubject(), email };
      const answer = await present(world, world.idJag(whom, { claims }));
      const isLinked = await hasAccessOf(world, answer, email);
      judge.expect('unverified', !isLinked, answer, { case: JSON.stringify(claims) });
    }
    const first = await present(world, world.idJag(subject));
    if (first.ok) throw new NotApplicable(NOBODY_IS_ASKED);
    const interaction = mustRequireInteraction(first);
    await decideInteraction(world, interaction, email, 'deny');
    const polled = await pollPatiently(world, interaction.claimToken);
    judge.expect('denied', !polled.ok && polled.errorCode === 'access_denied', polled);
    const next = await present(world, world.idJag(subject));
    await expectNoTakeover(judge, 'still-asked', world, owner, next);
  },
});
