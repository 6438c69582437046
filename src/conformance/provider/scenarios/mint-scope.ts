import { NotApplicable, shown } from '../../engine/judge.ts';
import { providerScenario } from '../provider-scenario.ts';
import { refusedBy } from '../steps/rows.ts';

const ITS_OWN = 'A provider may know that a resource on another origin belongs to the service.';

export const mintScope = providerScenario({
  id: 'mint-scope',
  title: 'An agent requests a resource and scopes',
  checks: {
    scope: 'The ID-JAG has no scope that was not requested.',
    'scope-said': 'The answer has the scope of the ID-JAG where it differs from the requested one.',
    resource: 'The ID-JAG has the requested resource.',
    'bad-resource': 'A mint for a resource that is not an absolute URL is refused.',
    'foreign-resource': 'A mint for a resource of another service is refused.',
  },
  // Whoever does not look at the resource is wrong about each.
  restsOn: { 'bad-resource': 'mint-scope.resource', 'foreign-resource': 'mint-scope.resource' },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    world.client.needExchange();
    const service = world.audience();
    const audience = service.issuer;
    const session = await world.session();
    const { invented } = world;
    // What is refused from here on is refused for its resource or scope.
    await world.idJag(session, audience);
    const wanted = service.traits.scopes.join(' ');
    const resource = `${audience}/${invented.word()}/${invented.word()}`;
    const first = await world.mintWithConsent(session, audience, { resource, scope: wanted });
    if (first.errorCode === 'invalid_scope') {
      judge.skip(
        ['scope', 'scope-said'],
        `The provider knows other scopes of the suite's services than their metadata lists: ${first.describe()}.`,
      );
    }
    const answer =
      first.errorCode === 'invalid_scope'
        ? await world.mintWithConsent(session, audience, { resource })
        : first;
    if (answer.errorCode === 'invalid_target') {
      throw new NotApplicable(
        `The provider knows no resource below the suite's services: ${answer.describe()}.`,
      );
    }
    const { scope, resource: claimed } = world.open(world.mustMint(answer, audience)).claims;
    if (answer === first) {
      const asked = wanted.split(' ');
      const granted = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [];
      const said = (answer.string('scope') ?? wanted).split(' ').filter(Boolean);
      const inAnswer = shown(answer.member('scope'));
      judge.table(answer, {
        scope: { ok: granted.every((word) => asked.includes(word)), seen: `scope ${shown(scope)}` },
        'scope-said': {
          // An ID-JAG without scope grants none in particular.
          ok: scope === undefined || sameWords(said, granted),
          seen: `scope ${shown(scope)} in the ID-JAG, ${inAnswer} in the answer`,
        },
      });
    }
    judge.table(answer, {
      resource: { ok: [claimed].flat().includes(resource), seen: `resource ${shown(claimed)}` },
    });
    // The user has consented and the right resource is minted for, so only a wrong one can be refused.
    const right = await world.client.mint(session.idToken, audience, { resource });
    world.mustMint(right, audience);
    const refused = refusedBy(world.breaking);
    // RFC 8707 §2: absolute, without a fragment.
    for (const bad of [invented.word(), `/${invented.word()}`, 'javascript:alert(1)']) {
      const answered = await world.client.mint(session.idToken, audience, { resource: bad });
      judge.table(answered, { 'bad-resource': refused }, { case: bad });
    }
    const foreign = `${world.services.elsewhere.origin}/${invented.word()}`;
    const other = await world.client.mint(session.idToken, audience, { resource: foreign });
    judge.table(other, { 'foreign-resource': refused }, { reading: ITS_OWN });
  },
});

function sameWords(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word) => others.includes(word));
}
