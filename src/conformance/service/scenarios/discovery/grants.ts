import { CLAIM_GRANT_ENDINGS, JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { errorCode, failing, is, refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';

/** Grants that this protocol does not need. */
const OTHERS = [
  'authorization_code',
  'client_credentials',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];

const CLIENT_FIRST =
  'RFC 6749 §5.2 lets a service look at the client before it looks at the grant.';

export const grants = serviceScenario({
  id: 'grants',
  title: 'The token endpoint takes exactly the grants that the metadata lists',
  safe: true,
  checks: {
    listed: 'The token endpoint supports each grant of the protocol that is listed.',
    unlisted: 'A grant that is not listed gives no token.',
    'unlisted-code': 'A grant that is not listed is answered unsupported_grant_type.',
  },
  restsOn: { 'unlisted-code': 'grants.listed' },
  async run(judge, world) {
    const { invented } = world;
    const { grantTypes } = world.facts;
    const ours = grantTypes.filter(
      (type) =>
        type === JWT_BEARER_GRANT || CLAIM_GRANT_ENDINGS.some((ending) => type.endsWith(ending)),
    );
    const known = new Set<string>();
    const unknown = await world.client.token({ grant_type: invented.urn() });
    for (const type of ours) {
      const answer = await world.client.token({
        grant_type: type,
        assertion: invented.token(),
        claim_token: invented.token(),
      });
      // Whoever takes made-up values, or has nothing at this URL, has not looked at the grant.
      const isRead = answer.refused && ![404, 405].includes(answer.status);
      const isKnown = isRead && answer.errorCode !== 'unsupported_grant_type';
      known.add(`${answer.status} ${answer.errorCode}`);
      // One that is answered like a grant that does not exist was perhaps not looked at.
      const isTold = answer.describe() !== unknown.describe();
      if (!isKnown || isTold) {
        judge.expect('listed', isKnown, answer, { case: type, ...failing(answer) });
      }
    }
    judge.untestable(
      'listed',
      `A grant that does not exist is answered alike (${unknown.describe()}).`,
    );
    for (const type of [...OTHERS, invented.urn()].filter((other) => !grantTypes.includes(other))) {
      const answer = await world.client.token({ grant_type: type });
      const isOfClient = is('invalid_client', 'unauthorized_client')(answer.errorCode);
      const reading = isOfClient ? CLIENT_FIRST : undefined;
      const more = { case: type };
      judge.table(
        answer,
        { 'unlisted-code': errorCode('unsupported_grant_type', { reading }) },
        more,
      );
      // An endpoint that refuses the listed ones in the same words refuses no grant.
      if (answer.refused && known.has(`${answer.status} ${answer.errorCode}`)) continue;
      judge.table(answer, { unlisted: refused }, more);
    }
    const reason = 'A listed grant was answered like one that is not.';
    judge.skip('unlisted', reason);
  },
});
