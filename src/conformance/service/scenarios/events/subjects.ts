import { serviceScenario } from '../../service-scenario.ts';
import {
  deliver,
  expectEventRefused,
  isActive,
  mustAcceptEvents,
  registerActive,
} from '../../steps/deliver-event.ts';

const STILL_EXCHANGED = 'Its assertion is still exchanged.';

export const eventSubjects = serviceScenario({
  id: 'event-subjects',
  title: 'The subject of an event is read by its format',
  checks: {
    'iss-sub': 'A subject in sub_id, by issuer and subject, is read.',
    agreeing: 'sub and sub_id that agree are read.',
    malformed: 'A sub_id without the members of its format is refused.',
    'no-subject': 'A revocation without a subject is refused.',
  },
  restsOn: {
    'iss-sub': 'event-revocation.assertion-ended',
    agreeing: 'event-revocation.assertion-ended',
  },
  dangerous: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustAcceptEvents(world);
    const iss = world.providers.provider.issuer;
    const issSub = (sub: string) => ({ format: 'iss_sub', iss, sub });
    const one = await registerActive(world);
    const revoke = (claims: object) =>
      world.recorder.oddly(`an event: ${JSON.stringify(claims)}`, () =>
        deliver(world, world.revokedEvent(one.subject, { claims: { ...claims } })),
      );
    const revokeById = (subId: unknown) => revoke({ sub: undefined, sub_id: subId });

    const bystander = await registerActive(world);
    for (const malformed of [
      { format: 'iss_sub', sub: one.subject },
      { format: 'iss_sub', iss },
      { format: 'iss_sub', iss, sub: 1 },
      { iss, sub: one.subject },
      { format: 1, iss, sub: one.subject },
      world.invented.word(),
      [issSub(one.subject)],
    ]) {
      const what = `sub_id ${JSON.stringify(malformed)}`;
      expectEventRefused(judge, 'malformed', await revokeById(malformed), what);
    }
    expectEventRefused(judge, 'no-subject', await revoke({ sub: undefined }));
    if (!(await isActive(world, one))) {
      const expected = 'An event with a malformed subject ends nothing.';
      judge.expect('malformed', false, 'The registration ended.', { expected });
      return;
    }
    await revokeById(issSub(one.subject));
    judge.expect('iss-sub', !(await isActive(world, one)), STILL_EXCHANGED);
    const claims = { sub_id: issSub(bystander.subject) };
    await deliver(world, world.revokedEvent(bystander.subject, { claims }));
    judge.expect('agreeing', !(await isActive(world, bystander)), STILL_EXCHANGED);
  },
});
