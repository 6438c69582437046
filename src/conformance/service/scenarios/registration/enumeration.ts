import { type Answer, isObject } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { notLimited } from '../../steps/answers.ts';
import { decideClaim } from '../../steps/open-claim.ts';

export const enumeration = serviceScenario({
  id: 'enumeration',
  title: 'Whether an answer reveals that an email has an account',
  checks: {
    'registrations-alike':
      'Registrations by email are answered alike, whether the email has an account or not.',
    'claims-alike': 'Claims are answered alike, whether the email has an account or not.',
  },
  async run(judge, world) {
    world.needType('service_auth');
    const { client } = world;
    const { claim, claimToken, email: known } = await world.byEmail();
    await decideClaim(world, { ...claim, email: known, decision: 'approve' });
    // Its owner has an account now, and a claimed registration.
    await client.poll(claimToken);

    // A limit per email has to have counted as many of those that have no account.
    const [before, after] = [world.unknownEmail(), world.unknownEmail()];
    for (const email of [before, after]) await client.registerByEmail(email);
    compare('registrations-alike', [
      await client.registerByEmail(before),
      await client.registerByEmail(known),
      await client.registerByEmail(after),
    ]);
    if (!world.facts.identityTypes.includes('anonymous')) {
      return judge.skip('claims-alike', 'The service does not offer anonymous.');
    }
    const claimOf = async (email: string) =>
      client.startClaim((await world.anonymous()).claimToken, email);
    const first = await claimOf(world.unknownEmail());
    world.mustClaim(notLimited(first));
    compare('claims-alike', [first, await claimOf(known), await claimOf(world.unknownEmail())]);

    /** The known one between two that are not: what those have in common, it has to have too. */
    function compare(
      name: 'registrations-alike' | 'claims-alike',
      [first, known, last]: readonly [Answer, Answer, Answer],
    ): void {
      for (const answer of [first, known, last]) notLimited(answer);
      const seen = traitsOf(known);
      const [before, after] = [traitsOf(first), traitsOf(last)];
      const shared = [...before].filter(([trait, value]) => after.get(trait) === value);
      const unlike = shared.find(([trait, value]) => seen.get(trait) !== value);
      const extra = [...seen.keys()].find((trait) => !before.has(trait) && !after.has(trait));
      judge.expect(
        name,
        unlike === undefined && extra === undefined,
        unlike
          ? `${unlike[0]} is ${seen.get(unlike[0]) ?? 'missing'}, elsewhere ${unlike[1]}`
          : `${extra} is ${seen.get(extra ?? '')}, elsewhere it is missing`,
        known,
      );
    }
  },
});

/** Status, fields and members of an answer, each with its value. */
function traitsOf(answer: Answer): ReadonlyMap<string, string> {
  const traits = new Map([['the status', String(answer.status)]]);
  for (const [name] of answer.headers) {
    if (!/^(date|age)$/.test(name)) traits.set(`the field ${name}`, 'there');
  }
  const add = (path: string, value: unknown) => {
    // Seconds that remain differ by one now and then.
    const shown = typeof value === 'number' ? 'a number' : JSON.stringify(value);
    traits.set(path, isObject(value) ? 'an object' : shown);
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) add(`${path}.${name}`, inner);
  };
  add('body', answer.json);
  return traits;
}
