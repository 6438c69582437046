import { refused } from '../../../engine/rows.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { challengeField, notLimited } from '../../steps/answers.ts';
import { decideClaim } from '../../steps/open-claim.ts';
import { needClaim } from '../../steps/polls.ts';

const V07 = 'The older of the two documents that call themselves 0.7 starts claims so.';

export const claimStart = serviceScenario({
  id: 'claim-start',
  title: 'Opening a claim with an invalid token or email',
  checks: {
    body: 'A claim is started by claim token and email, as the specification names them.',
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
    const isOwnBody = !client.takesTypedClaims;
    const seen = 'taken as v0.7 has it alone: type, claim_token, login_hint';
    judge.expect('body', isOwnBody, seen, { reading: V07 });
    const start = async (token: string) => notLimited(await client.postClaim(token, email));
    await unknownTokens();
    const claim = await world.openClaim(claimToken, email);
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    judge.table(await start(claimToken), { 'claimed-refused': refused });

    async function unknownTokens(): Promise<void> {
      const tampered = claimToken.slice(0, -4) + (claimToken.endsWith('AAAA') ? 'BBBB' : 'AAAA');
      for (const token of [tampered, world.invented.token(), '']) {
        const answer = await start(token);
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
