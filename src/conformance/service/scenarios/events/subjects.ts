import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import {
  deliver,
  expectAlive,
  expectEventRefused,
  lives,
  mustBeAccepted,
  settle,
} from '../../steps/deliver-event.ts';

export const eventSubjects = serviceScenario({
  id: 'event-subjects',
  title: 'The subject of an event is read by its format',
  checks: {
    'iss-sub': 'A subject in sub_id, by issuer and subject, is read.',
    agreeing: 'sub and sub_id that agree are read.',
    'two-subjects': 'An event whose sub and sub_id differ is refused, and ends nothing.',
    malformed: 'A sub_id without what its format asks for is refused.',
    'other-formats': 'A sub_id of another format is refused with invalid_request.',
    'foreign-denied': 'A sub_id of another issuer is refused with access_denied.',
    'no-subject': 'A revocation without a subject is refused.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const iss = world.providers.provider.issuer;
    const subId = (sub: unknown, format: unknown = 'iss_sub') => ({ format, iss, sub });
    let one = await settle(world);
    const send = (claims: Readonly<Record<string, unknown>>): Promise<Answer> =>
      deliver(world, world.revokedEvent(one.subject, { claims }));

    const bystander = await settle(world);
    const differing = await send({ sub_id: subId(bystander.subject) });
    expectEventRefused(judge, 'two-subjects', { what: 'An event with two subjects' }, differing);
    await expectAlive(judge, 'two-subjects', world, one, 'an event with two subjects');
    await expectAlive(judge, 'two-subjects', world, bystander, 'an event with two subjects');

    // Whoever reads sub alone has ended it.
    if (!(await lives(world, one))) one = await settle(world);
    for (const sub_id of [
      { format: 'iss_sub', sub: one.subject },
      { format: 'iss_sub', iss },
      { format: 'iss_sub', iss, sub: 1 },
      { iss, sub: one.subject },
      { format: 1, iss, sub: one.subject },
      world.invented.word(),
      [subId(one.subject)],
    ]) {
      const answer = await send({ sub: undefined, sub_id });
      const what = `An event with sub_id ${JSON.stringify(Object.keys(Object(sub_id)))}`;
      expectEventRefused(judge, 'malformed', { what }, answer);
    }
    for (const sub_id of [
      { format: 'email', email: one.email },
      { format: 'opaque', id: one.subject },
      { format: world.invented.word() },
    ]) {
      const answer = await send({ sub: undefined, sub_id });
      judge.expect(
        'other-formats',
        answer.status === 400 && answer.errorCode === 'invalid_request',
        answer,
        { expected: `400 invalid_request for a subject of format ${sub_id.format}` },
      );
    }
    const foreign = { format: 'iss_sub', iss: `https://${world.elsewhere}`, sub: one.subject };
    const denied = await send({ sub: undefined, sub_id: foreign });
    judge.expect(
      'foreign-denied',
      denied.status === 400 && denied.errorCode === 'access_denied',
      denied,
    );
    const nobody = await send({ sub: undefined });
    expectEventRefused(judge, 'no-subject', { what: 'A revocation without a subject' }, nobody);
    if (!(await lives(world, one))) {
      judge.expect('malformed', false, 'The registration ended.');
      return;
    }
    await send({ sub: undefined, sub_id: subId(one.subject) });
    judge.expect(
      'iss-sub',
      !(await lives(world, one)),
      // a service may read sub alone.
      'Its assertion is still exchanged.',
      { warn: true },
    );
    const agreed = world.revokedEvent(bystander.subject, {
      claims: { sub_id: subId(bystander.subject) },
    });
    await deliver(world, agreed);
    judge.expect('agreeing', !(await lives(world, bystander)), 'Its assertion is still exchanged.');
  },
});
