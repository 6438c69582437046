import { serviceScenario } from '../../service-scenario.ts';
import {
  isTaken,
  mustRegister,
  NO_OTHER,
  present,
  registrationOf,
  trustsOther,
} from '../../steps/present-id-jag.ts';

export const idJagKnown = serviceScenario({
  id: 'id-jag-known',
  title: 'A user of a provider is known again by issuer and subject',
  checks: {
    again: 'Another ID-JAG of the same user is answered with an assertion at once.',
    'one-registration': 'It leads to the same registration.',
    'earlier-good': 'Assertions from before stay good.',
    'new-email': 'The same subject with another address is the same user.',
    'per-issuer': 'The same subject of another provider is somebody else.',
    'per-subject': 'Another subject of the same provider is somebody else.',
    'per-tenant': 'The same subject in another tenant is somebody else.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const first = await mustRegister(world);
    const registration = registrationOf(first.answer);
    const same = await present(world, world.idJag(first));
    judge.expect('again', same.ok && same.string('identity_assertion') !== undefined, same);
    const isSame = (answer: typeof same) => registrationOf(answer) === registration;
    judge.expect('one-registration', isSame(same), same);
    const exchanged = await world.client.exchange(first.identityAssertion);
    judge.expect(
      'earlier-good',
      exchanged.ok && exchanged.string('access_token') !== undefined,
      exchanged,
    );
    const moved = { subject: first.subject, email: world.freshEmail() };
    const renamed = await present(world, world.idJag(moved));
    judge.expect('new-email', isTaken(renamed) && isSame(renamed), renamed);
    if (registration === undefined) {
      judge.skip(['per-issuer', 'per-subject', 'per-tenant'], 'It shows no registration.');
      return;
    }
    const differs = (
      name: 'per-issuer' | 'per-subject' | 'per-tenant',
      whose: string,
      answer: typeof same,
    ) =>
      judge.expect(name, isTaken(answer) && !isSame(answer), answer, {
        expected: `a registration of its own for ${whose}`,
      });
    const email = world.freshEmail();
    differs(
      'per-subject',
      'another subject',
      await present(world, world.idJag({ ...world.freshSubject() })),
    );
    const tenant = { claims: { tenant: world.invented.word() } };
    const elsewhere = { subject: first.subject, email: world.freshEmail() };
    differs(
      'per-tenant',
      'the subject of a tenant',
      await present(world, world.idJag(elsewhere, tenant)),
    );
    if (!(await trustsOther(world))) {
      judge.skip('per-issuer', NO_OTHER);
      return;
    }
    const theirs = world.idJag({ subject: first.subject, email }, {}, world.providers.other);
    differs('per-issuer', 'the subject of another provider', await present(world, theirs));
  },
});
