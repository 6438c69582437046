import { CannotTest, NotApplicable, shown } from '../../engine/judge.ts';
import { providerScenario } from '../provider-scenario.ts';

/** A provider may mint only the scopes and resources that a service offers. */
const NOT_OFFERED = ['invalid_scope', 'invalid_target'];

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
        `The provider does not accept the scopes and the resource of the suite: ${answer.describe()}.`,
      );
    }
    if (token === undefined) {
      throw new CannotTest(`A mint with resource and scope gave no ID-JAG: ${answer.describe()}.`);
    }
    const { scope, resource: claimed } = world.open(token).claims;
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
      resource: { ok: [claimed].flat().includes(resource), seen: `resource ${shown(claimed)}` },
    });
    // RFC 8707 §2: absolute, without a fragment.
    for (const bad of [invented.word(), `/${invented.word()}`, 'javascript:alert(1)']) {
      const refused = await world.client.mint(session.idToken, audience, { resource: bad });
      judge.expect('bad-resource', refused.refused, refused, { case: bad });
    }
    const foreign = `${world.services.elsewhere.origin}/${invented.word()}`;
    const other = await world.client.mint(session.idToken, audience, { resource: foreign });
    // A provider may know that a resource on another origin belongs to the service.
    judge.expect('foreign-resource', other.refused, other, { warn: true });
  },
});

function sameWords(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word) => others.includes(word));
}
