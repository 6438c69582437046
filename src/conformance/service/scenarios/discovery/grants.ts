import { CLAIM_GRANT_ENDINGS, JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';

/** Grants that no service of this protocol needs. */
const OTHERS = [
  'authorization_code',
  'client_credentials',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];

export const grants = serviceScenario({
  id: 'grants',
  title: 'The token endpoint takes the grants that the metadata lists, and no other',
  safe: true,
  checks: {
    listed: 'Each grant of the protocol that is listed is known at the token endpoint.',
    unlisted: 'A grant that is not listed gives no token.',
    'unlisted-code': 'A grant that is not listed is answered unsupported_grant_type.',
  },
  async run(judge, world) {
    const { invented } = world;
    const { grantTypes } = world.facts;
    const ours = grantTypes.filter(
      (type) =>
        type === JWT_BEARER_GRANT || CLAIM_GRANT_ENDINGS.some((ending) => type.endsWith(ending)),
    );
    for (const type of ours) {
      const answer = await world.client.token({
        grant_type: type,
        assertion: invented.token(),
        claim_token: invented.token(),
      });
      judge.expect('listed', answer.errorCode !== 'unsupported_grant_type', answer, {
        expected: `${type} is known: its metadata lists it`,
      });
    }
    for (const type of [...OTHERS, invented.urn()].filter((other) => !grantTypes.includes(other))) {
      const answer = await world.client.token({ grant_type: type });
      judge.expect('unlisted', answer.refused, answer, {
        expected: `${type} is refused: it is not listed`,
      });
      judge.expect(
        'unlisted-code',
        answer.errorCode === 'unsupported_grant_type',
        // Clients that are no such client may be refused before the grant is looked at.
        answer,
        {
          warn: answer.errorCode === 'invalid_client' || answer.errorCode === 'unauthorized_client',
        },
      );
    }
  },
});
