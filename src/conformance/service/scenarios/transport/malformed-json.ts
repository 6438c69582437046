import { refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import type { Members } from '../../steps/labelled-body.ts';
import { someRegistration } from '../../steps/new-registration.ts';

/** What is no JSON object, of members that are right. */
const bodiesOf = (members: Members): readonly (readonly [what: string, body: string])[] => {
  const right = JSON.stringify(members);
  return [
    ['an empty body', ''],
    ['text that is not JSON', new URLSearchParams(members).toString()],
    ['truncated JSON', right.slice(0, -1)],
    ['JSON with a trailing comma', `${right.slice(0, -1)},}`],
    ['two objects', `${right}${right}`],
    ['an array', `[${right}]`],
    ['a string', JSON.stringify(right)],
    ['a number', '1'],
    ['null', 'null'],
    ['an object without members', '{}'],
  ];
};

export const malformedJson = serviceScenario({
  id: 'malformed-json',
  title: 'A malformed JSON body is refused',
  checks: {
    refused: 'A malformed JSON body is answered with a 4xx status.',
  },
  dangerous: true,
  async run(judge, world) {
    const { client } = world;
    await mustTakeRegistrations(world);
    await judgeBodies(client.endpoint('identityEndpoint'), someRegistration(world));
    const claim = await someClaim(world);
    if (claim !== undefined) await judgeBodies(client.endpoint('claimEndpoint'), claim);

    async function judgeBodies(url: string, right: Members): Promise<void> {
      for (const [what, body] of bodiesOf(right)) {
        const answer = await world.recorder.oddly(what, () => client.postJson(url, body));
        judge.table(answer, { refused }, { case: `${what} at ${new URL(url).pathname}` });
      }
    }
  },
});

/** What opens a claim; undefined where that needs a user. */
async function someClaim(world: ServiceWorld): Promise<Members | undefined> {
  const { claimEndpoint, identityTypes } = world.facts;
  if (claimEndpoint === undefined || !identityTypes.includes('anonymous')) return undefined;
  const { claimToken } = await world.anonymous();
  const right = { claim_token: claimToken, email: world.userEmail() };
  await world.openClaim(right.claim_token, right.email);
  return right;
}
