import { refused } from '../../../engine/rows.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { challengeField } from '../../steps/answers.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { notLimited } from '../../steps/not-rate-limited.ts';
import { needClaim } from '../../steps/polls.ts';

export const claimStart = serviceScenario({
  id: 'claim-start',
  title: 'Opening a claim with an invalid token or email',
  checks: {
    'unknown-refused': 'An unknown claim token opens no attempt.',
    challenge: 'A 401 has WWW-Authenticate with a well-formed challenge.',
    'claimed-refused': 'A claimed registration opens no further attempt.',
  },
  async run(judge, world) {
    needClaim(world);
    const { client } = world;
    const email = world.userEmail();
    // Of another registration: on this one no email is to be on record yet.
    await world.openClaim((await world.anonymous()).claimToken, email);
    const { claimToken } = await world.anonymous();
    const endpoint = client.endpoint('claimEndpoint');
    const start = async (body: object) =>
      notLimited(await client.postJson(endpoint, body, { from: 'agent' }));
    await unknownTokens();
    const claim = await world.openClaim(claimToken, email);
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    judge.table(await start({ claim_token: claimToken, email }), {
      'claimed-refused': refused,
    });

    async function unknownTokens(): Promise<void> {
      const tampered = claimToken.slice(0, -4) + (claimToken.endsWith('AAAA') ? 'BBBB' : 'AAAA');
      for (const token of [tampered, world.invented.token(), '']) {
        const answer = await start({ claim_token: token, email });
        if (!judge.table(answer, { 'unknown-refused': refused })) continue;
        // An empty one may as well count as missing.
        if (token === '') continue;
        if (answer.status !== 401) continue;
        judge.table(answer, {
          challenge: challengeField(
            (field) =>
              answer.header('www-authenticate') !== undefined &&
              readChallenges(field) !== undefined,
          ),
        });
      }
      judge.skip('challenge', 'Nothing was answered 401.');
    }
  },
});
