import { NotApplicable } from '../../../engine/judge.ts';
import { challengeParameter } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';

const SCOPES = JSON.stringify([['api.read'], ['api.read', 'api.write']]);

export const insufficientScope = serviceScenario({
  id: 'insufficient-scope',
  title: 'A token does what its scope says, and no more',
  checks: {
    'read-passes': 'A token of before the claim reads /api/resource.',
    'write-refused': 'A token of before the claim does not write /api/resource.',
    members: 'The answer has message, registration_id, scope and user.',
    scopes: 'The scopes are api.read before the claim, and api.write with it afterwards.',
    status: 'A call beyond the scope of a good token is answered with 403.',
    code: 'The refusal says insufficient_scope.',
    'needed-scope': 'It says which scope the call takes.',
    'metadata-hint': 'It names the metadata.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    world.needType('anonymous');
    const registered = await client.registerAnonymous();
    const assertion = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const token = await world.accessToken(assertion);
    const isOfContract = facts.resource?.endsWith('/api/resource') === true;
    if (!isOfContract) {
      const own = ['read-passes', 'write-refused', 'members', 'scopes'] as const;
      judge.skip(own, 'The protected address is not the /api/resource of the wire contract.');
    } else {
      const read = await client.call(token);
      judge.expect('read-passes', read.status === 200, read);
      const scopes = ['pre_claim_scopes', 'post_claim_scopes'].map((name) =>
        registered.member(name),
      );
      judge.expect('scopes', JSON.stringify(scopes) === SCOPES, JSON.stringify(scopes), {
        expected: `${SCOPES} as pre_claim_scopes and post_claim_scopes`,
        exchange: registered.exchange,
      });
      const missing = ['message', 'registration_id', 'scope', 'user'].filter(
        (name) => read.member(name) === undefined,
      );
      judge.expect(
        'members',
        read.status !== 200 || missing.length === 0,
        `Without ${missing.join(', ')}.`,
        { exchange: read.exchange },
      );
    }
    const write = await client.call(token, { method: 'POST' });
    if (isOfContract) {
      judge.expect('write-refused', write.refused, write);
    }
    const field = write.header('www-authenticate');
    const error = challengeParameter(field, 'bearer', 'error');
    if (write.status !== 403 && error !== 'insufficient_scope') {
      const isSilent = !isOfContract || write.ok;
      if (isSilent)
        throw new NotApplicable('No call is known that the pre-claim scope does not cover.');
    }
    judge.expect('status', write.status === 403, write);
    const at = { seen: field ?? 'No WWW-Authenticate.', exchange: write.exchange };
    judge.expect('code', error === 'insufficient_scope', at.seen, { exchange: at.exchange });
    judge.expect(
      'needed-scope',
      challengeParameter(field, 'bearer', 'scope') !== undefined,
      at.seen,
      { exchange: at.exchange },
    );
    judge.expect(
      'metadata-hint',
      challengeParameter(field, 'bearer', 'resource_metadata') !== undefined,
      at.seen,
      { exchange: at.exchange },
    );
  },
});
