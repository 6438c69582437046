import { errorCode } from '../../engine/rows.ts';
import type { FormValues } from '../provider-client.ts';
import { providerScenario } from '../provider-scenario.ts';
import { nothingMinted, ofRefusal, refusedBy } from '../steps/rows.ts';

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
  title: 'An agent requests an ID-JAG with wrong parameters',
  checks: {
    'missing-parameter': 'A mint without a required parameter is refused.',
    'missing-parameter-code': 'A mint without a required parameter is answered invalid_request.',
    'requested-type': 'A mint with an unknown requested_token_type is refused.',
    'unknown-audience': 'A mint for an audience that is not a service is refused.',
    'unknown-audience-code':
      'A mint for an audience that is not a service is answered invalid_target.',
    actor: 'An actor_token without its type, and a type without its token, are refused.',
    'own-issuer': 'The provider mints nothing for itself as the audience.',
    'id-jag-traded': 'The provider issues no access token for an ID-JAG of its own.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const { client } = world;
    // The user has consented, so only the parameters can be refused.
    const idJag = await world.idJag(session, audience);
    const right = client.mintForm(session.idToken, audience);
    const withChange = (change: FormValues) => client.token({ ...right, ...change });

    const refused = refusedBy(world.breaking);

    for (const name of REQUIRED) {
      const rows = {
        'missing-parameter': nothingMinted(world.breaking),
        'missing-parameter-code': ofRefusal(errorCode('invalid_request')),
      };
      judge.table(await withChange({ [name]: undefined }), rows, { case: `without ${name}` });
    }
    const unknown = await withChange({ requested_token_type: world.invented.urn() });
    judge.table(unknown, { 'requested-type': refused });
    for (const unknownAudience of [
      world.invented.name(),
      world.invented.urn(),
      `${audience}#${world.invented.word()}`,
    ]) {
      const rows = {
        'unknown-audience': nothingMinted(world.breaking),
        'unknown-audience-code': ofRefusal(errorCode('invalid_target')),
      };
      judge.table(await withChange({ audience: unknownAudience }), rows, { case: unknownAudience });
    }
    const itself = await withChange({ audience: world.facts.issuer });
    judge.table(itself, { 'own-issuer': refused });
    for (const half of [
      { actor_token: session.idToken },
      { actor_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
    ]) {
      const alone = `${Object.keys(half).join('')} alone`;
      judge.table(await withChange(half), { actor: refused }, { case: alone });
    }
    for (const form of [
      { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: idJag },
      { ...right, subject_token: idJag, requested_token_type: ACCESS_TOKEN_TYPE },
    ]) {
      judge.table(await client.token(form), { 'id-jag-traded': nothingMinted(world.breaking) });
    }
  },
});
