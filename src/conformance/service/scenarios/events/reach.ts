import { refused, status } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-world.ts';
import * as events from '../../steps/deliver-event.ts';
import { mustRegister, present } from '../../steps/present-id-jag.ts';

export const eventReach = serviceScenario({
  id: 'event-reach',
  title: 'A revocation event reaches whatever rests on the ID-JAGs of its subject',
  checks: {
    'audience-forms':
      'An event takes effect whether its audience, and that of the ID-JAG, is a string or a list.',
    narrowed: 'An event ends a registration whose ID-JAG named a scope or a resource.',
    'each-assertion': 'An event ends each assertion that the ID-JAGs of its subject brought.',
    'each-token': 'An event ends each access token of those assertions.',
  },
  blockedBy: ['event-revocation.assertion-ended'],
  async run(judge, world) {
    world.needType('identity_assertion');
    await events.mustEndByEvents(world);
    const { client, facts } = world;
    const forms = [
      ['a string', facts.issuer],
      ['a list', [facts.issuer]],
    ] as const;
    for (const [inIdJag, presented] of forms) {
      for (const [inEvent, delivered] of forms) {
        const whom = world.freshSubject();
        const claims = { aud: presented };
        const registered = await present(world, world.idJag(whom, { claims }));
        const assertion = registered.string('identity_assertion');
        // A list of one need not be accepted: id-jag-audience.one-element.
        if (assertion === undefined) continue;
        const event = world.revokedEvent(whom.subject, { claims: { aud: delivered } });
        const acknowledged = await events.deliver(world, event);
        // Whether a list is taken at all is event-contents.audience-list.
        if (!acknowledged.ok) continue;
        const what = `${inIdJag} in the ID-JAG, ${inEvent} in the event`;
        const answer = await client.exchange(assertion);
        judge.table(answer, { 'audience-forms': refused }, { case: what });
      }
    }
    judge.skip('audience-forms', 'No ID-JAG of a new user is answered with an assertion at once.');
    await judgeNarrowed();
    await judgeSeveral();

    async function judgeNarrowed(): Promise<void> {
      const supported = facts.metadata['scopes_supported'];
      const [scope] = Array.isArray(supported) ? supported : [];
      for (const [what, claims] of [
        ['scope', { scope }],
        ['resource', { resource: facts.resource }],
      ] as const) {
        if (Object.values(claims)[0] === undefined) continue;
        const whom = world.freshSubject();
        const answer = await present(world, world.idJag(whom, { claims }));
        const assertion = answer.string('identity_assertion');
        if (assertion === undefined) continue;
        await events.deliver(world, world.revokedEvent(whom.subject));
        const late = await client.exchange(assertion);
        judge.table(late, { narrowed: refused }, { case: `an ID-JAG with ${what}` });
      }
      judge.skip('narrowed', 'No ID-JAG with a scope or a resource is answered with an assertion.');
    }

    async function judgeSeveral(): Promise<void> {
      const first = await mustRegister(world);
      const again = await mustRegister(world, first);
      const renamed = await mustRegister(world, { ...first, email: world.unknownEmail() });
      const assertions = [first, again, renamed].map((each) => each.identityAssertion);
      const tokens: string[] = [];
      for (const assertion of assertions) tokens.push(await world.accessToken(assertion));
      await events.deliver(world, world.revokedEvent(first.subject));
      for (const [index, assertion] of assertions.entries()) {
        const what = { case: `the assertion of ID-JAG ${index + 1} of ${assertions.length}` };
        judge.table(await client.exchange(assertion), { 'each-assertion': refused }, what);
      }
      if (facts.resource === undefined) return;
      for (const token of tokens) {
        judge.table(await client.call(token), { 'each-token': status(401) });
      }
    }
  },
});

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
  resting: { 'event-revocation.assertion-ended': ['iss-sub', 'agreeing'] },
  dangerous: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    await events.mustAcceptEvents(world);
    const iss = world.providers.provider.issuer;
    const issSub = (sub: string) => ({ format: 'iss_sub', iss, sub });
    const one = await events.registerActive(world);
    const revoke = (claims: object) =>
      world.recorder.oddly(`an event: ${JSON.stringify(claims)}`, () =>
        events.deliver(world, world.revokedEvent(one.subject, { claims: { ...claims } })),
      );
    const revokeById = (subId: unknown) => revoke({ sub: undefined, sub_id: subId });

    const bystander = await events.registerActive(world);
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
      events.expectEventRefused(judge, 'malformed', await revokeById(malformed), what);
    }
    events.expectEventRefused(judge, 'no-subject', await revoke({ sub: undefined }));
    if (!(await events.isActive(world, one))) {
      const expected = 'An event with a malformed subject ends nothing.';
      judge.expect('malformed', false, 'The registration ended.', { expected });
      return;
    }
    await revokeById(issSub(one.subject));
    judge.expect('iss-sub', !(await events.isActive(world, one)), STILL_EXCHANGED);
    const claims = { sub_id: issSub(bystander.subject) };
    await events.deliver(world, world.revokedEvent(bystander.subject, { claims }));
    judge.expect('agreeing', !(await events.isActive(world, bystander)), STILL_EXCHANGED);
  },
});
