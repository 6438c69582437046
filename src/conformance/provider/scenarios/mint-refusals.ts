import type { Answer } from '../../http/answer.ts';
import type { FormValues } from '../provider-client.ts';
import { providerScenario } from '../provider-scenario.ts';

const REQUIRED = [
  'grant_type',
  'requested_token_type',
  'audience',
  'subject_token',
  'subject_token_type',
] as const;

const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

export const mintRefusals = providerScenario({
  id: 'mint-refusals',
  title: 'Requests for an ID-JAG that are not as they have to be',
  checks: {
    'missing-parameter': 'A mint without a required parameter is refused.',
    'missing-parameter-code': 'A mint without a required parameter is answered invalid_request.',
    'requested-type': 'A mint that asks for an unknown kind of token is refused.',
    'unknown-audience': 'A mint for an audience that is no service is refused.',
    'unknown-audience-code':
      'A mint for an audience that is no service is answered invalid_target.',
    actor: 'An actor token without its type, and a type without its token, are refused.',
    'own-issuer': 'The provider mints nothing for itself as the audience.',
    'id-jag-traded': 'The provider gives no access token for an ID-JAG of its own.',
  },
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const { client } = world;
    // From here on nothing but the request is wrong: the user has agreed.
    const idJag = await world.idJag(session, audience);
    const right = client.mintForm(session.idToken, audience);
    const withChange = (change: FormValues) => client.token({ ...right, ...change });

    for (const name of REQUIRED) {
      const answer = await withChange({ [name]: undefined });
      judge.expect('missing-parameter', isRefused(answer), answer, {
        expected: `a refusal without ${name}`,
      });
      judge.expect('missing-parameter-code', answer.errorCode === 'invalid_request', answer, {
        expected: `400 invalid_request without ${name}`,
      });
    }
    const unknown = await withChange({
      requested_token_type: world.invented.urn(),
    });
    judge.expect('requested-type', isRefused(unknown), unknown);
    for (const nobody of [
      world.invented.name(),
      world.invented.urn(),
      `${audience}#${world.invented.word()}`,
    ]) {
      const answer = await withChange({ audience: nobody });
      judge.expect('unknown-audience', isRefused(answer), answer, {
        expected: `a refusal of the audience ${nobody}`,
      });
      judge.expect('unknown-audience-code', answer.errorCode === 'invalid_target', answer, {
        expected: `400 invalid_target for the audience ${nobody}`,
      });
    }
    const itself = await withChange({ audience: world.facts.issuer });
    judge.expect('own-issuer', isRefused(itself), itself);
    for (const half of [
      { actor_token: session.idToken },
      { actor_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
    ]) {
      const answer = await withChange(half);
      judge.expect('actor', isRefused(answer), answer, {
        expected: `a refusal of ${Object.keys(half).join('')} alone`,
      });
    }
    for (const form of [
      { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: idJag },
      { ...right, subject_token: idJag, requested_token_type: ACCESS_TOKEN_TYPE },
    ]) {
      const answer = await client.token(form);
      judge.expect('id-jag-traded', answer.string('access_token') === undefined, answer);
    }
  },
});

/** The provider said no: it is not broken, and gave nothing. */
export function isRefused(answer: Answer): boolean {
  return answer.refused && answer.string('access_token') === undefined;
}
