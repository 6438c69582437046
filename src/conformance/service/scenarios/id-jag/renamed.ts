import { serviceScenario } from '../../service-scenario.ts';
import { reachesAccount } from '../../steps/account-access.ts';
import { askOwner } from '../../steps/confirmation.ts';
import { makeOwner } from '../../steps/existing-account.ts';
import { mustRegister, present, registrationOf } from '../../steps/present-id-jag.ts';

const SAME_NAME =
  'It is the registration that the subject had before: it may only be shown under the new email.';

export const idJagRenamed = serviceScenario({
  id: 'id-jag-renamed',
  title: 'A known user of a provider comes back with the email of somebody else',
  checks: {
    'no-takeover':
      'A subject that is registered reaches no other account by the email of a later ID-JAG.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const owner = await makeOwner(world);
    const { email } = owner;
    // Only where owners are asked is a silent link another matter than the literal row.
    await askOwner(world, { ...world.freshSubject(), email });
    const first = await mustRegister(world);
    const answer = await present(world, world.idJag({ subject: first.subject, email }));
    const isTaken = answer.ok && (await reachesAccount(world, answer, owner));
    const own = registrationOf(first.answer);
    const isOwn = own !== undefined && registrationOf(answer) === own;
    judge.expect('no-takeover', !isTaken, answer, { reading: isOwn ? SAME_NAME : undefined });
  },
});
