import { CannotTest, NotApplicable } from '../../engine/judge.ts';
import { providerScenario } from '../provider-scenario.ts';

/** A provider may know what a service offers, and mint nothing else. */
const NOT_OFFERED = ['invalid_scope', 'invalid_target'];

export const mintScope = providerScenario({
  id: 'mint-scope',
  title: 'An agent asks for a resource and for scopes',
  checks: {
    scope: 'The ID-JAG has no scope that was not asked for.',
    'scope-said':
      'The scope of the ID-JAG is said in the answer where it is not the one asked for.',
    resource: 'The resource that was asked for stands in the ID-JAG.',
    'bad-resource': 'A resource that is no absolute address brings no ID-JAG.',
    'foreign-resource': 'A resource of another service brings no ID-JAG.',
  },
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const { invented } = world;
    const wanted = `${invented.scope()} ${invented.scope()}`;
    const resource = `${audience}/${invented.word()}/${invented.word()}`;
    const answer = await world.mintWithConsent(session, audience, { resource, scope: wanted });
    const token = answer.string('access_token');
    if (token === undefined && NOT_OFFERED.includes(answer.errorCode ?? '')) {
      throw new NotApplicable(
        `The provider does not take the scopes and the resource of the suite: ${answer.describe()}.`,
      );
    }
    if (token === undefined) {
      throw new CannotTest(`A mint with resource and scope gave no ID-JAG: ${answer.describe()}.`);
    }
    const { scope, resource: claimed } = world.open(token).claims;
    const asked = wanted.split(' ');
    const granted = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [];
    judge.expect(
      'scope',
      granted.every((word) => asked.includes(word)),
      `scope ${JSON.stringify(scope)}`,
      { expected: `no other scope than ${wanted}`, exchange: answer.exchange },
    );
    const said = (answer.string('scope') ?? wanted).split(' ').filter(Boolean);
    // Nothing granted in particular is nothing to say.
    const agrees = scope === undefined || sameWords(said, granted);
    judge.expect(
      'scope-said',
      agrees,
      `scope ${JSON.stringify(scope)} in the ID-JAG, ${JSON.stringify(answer.member('scope') ?? null)} in the answer`,
      { exchange: answer.exchange },
    );
    judge.expect(
      'resource',
      [claimed].flat().includes(resource),
      `resource ${JSON.stringify(claimed ?? null)}`,
      { expected: `resource ${resource}`, exchange: answer.exchange },
    );
    // RFC 8707 §2: absolute, without a fragment.
    for (const bad of [invented.word(), `/${invented.word()}`, 'javascript:alert(1)']) {
      const refused = await world.client.mint(session.idToken, audience, { resource: bad });
      judge.expect('bad-resource', refused.refused, refused, {
        expected: `no ID-JAG for the resource ${bad}`,
      });
    }
    const foreign = `${world.services.elsewhere.origin}/${invented.word()}`;
    const other = await world.client.mint(session.idToken, audience, { resource: foreign });
    judge.expect(
      'foreign-resource',
      other.refused,
      // Whose resources are whose, a provider may know better than their origins tell.
      other,
      { warn: true },
    );
  },
});

function sameWords(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word) => others.includes(word));
}
