import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { Subject } from '../../service-world.ts';
import {
  isRegistered,
  mustRegister,
  NO_OTHER,
  present,
  registrationOf,
  trustsOther,
} from '../../steps/present-id-jag.ts';
import type { MintOptions } from '../../test-provider.ts';

export const idJagKnown = serviceScenario({
  id: 'id-jag-known',
  title: 'A user of a provider is identified by issuer and subject',
  checks: {
    again: 'Another ID-JAG of the same user is answered with an assertion at once.',
    'one-registration': 'Another ID-JAG of the same user leads to the same registration.',
    'earlier-good': 'Earlier assertions can still be exchanged.',
    'new-email': 'The same subject with another email is the same user.',
    'per-issuer': 'The same subject of another provider is another user.',
    'per-subject': 'Another subject of the same provider is another user.',
    'per-tenant': 'The same subject in another tenant is another user.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const first = await mustRegister(world);
    const registration = registrationOf(first.answer);
    const isSame = (answer: Answer) => registrationOf(answer) === registration;
    const { subject } = first;
    const register = (whom: Subject, options?: MintOptions, provider?: typeof other) =>
      present(world, world.idJag(whom, options, provider));
    const { other } = world.providers;

    const again = await register(first);
    judge.table(again, {
      again: { ok: again.ok && again.string('identity_assertion') !== undefined },
      'one-registration': { ok: isSame(again) },
    });
    const exchanged = await world.client.exchange(first.identityAssertion);
    const isGood = exchanged.ok && exchanged.string('access_token') !== undefined;
    judge.expect('earlier-good', isGood, exchanged);
    const renamed = await register({ subject, email: world.unknownEmail() });
    judge.expect('new-email', isRegistered(renamed) && isSame(renamed), renamed);
    if (registration === undefined) {
      judge.skip(['per-issuer', 'per-subject', 'per-tenant'], 'It shows no registration.');
      return;
    }

    const anotherUser = (answer: Answer) => ({ ok: isRegistered(answer) && !isSame(answer) });
    const email = world.unknownEmail();
    judge.table(await register(world.freshSubject()), { 'per-subject': anotherUser });
    const tenant = { claims: { tenant: world.invented.word() } };
    const there = await register({ subject, email: world.unknownEmail() }, tenant);
    judge.table(there, { 'per-tenant': anotherUser });
    if (await trustsOther(world)) {
      judge.table(await register({ subject, email }, {}, other), { 'per-issuer': anotherUser });
    } else {
      judge.skip('per-issuer', NO_OTHER);
    }
  },
});
