import { refused, status } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { deliver, mustEndByEvents } from '../../steps/deliver-event.ts';
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
    await mustEndByEvents(world);
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
        const acknowledged = await deliver(world, event);
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
        await deliver(world, world.revokedEvent(whom.subject));
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
      await deliver(world, world.revokedEvent(first.subject));
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
