import { refused, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { agentAuthChallenge, challengeField, error } from '../../steps/answers.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { notLimited } from '../../steps/not-rate-limited.ts';
import { needClaim } from '../../steps/polls.ts';

export const claimStart = serviceScenario({
  id: 'claim-start',
  title: 'Opening a claim with an invalid token or email',
  checks: {
    'unknown-refused': 'An unknown claim token opens no attempt.',
    'unknown-code': 'An unknown claim token is answered 401 invalid_claim_token.',
    challenge: 'A 401 has WWW-Authenticate with a well-formed challenge.',
    'challenge-scheme': 'The challenge of a 401 has the scheme AgentAuth and names the error.',
    'members-needed': 'A request whose members are missing or of another JSON type is refused.',
    'no-address': 'A malformed email is refused.',
    'login-hint': 'login_hint is read as email, and two that differ are refused.',
    'address-on-record': 'Once an email is on record it need not be sent again.',
    'claimed-refused': 'A claimed registration opens no further attempt.',
    'claimed-code': 'A claim of a claimed registration is answered 409 claimed_or_in_flight.',
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
    await malformedEmails();
    const claim = world.mustClaim(await openAttempt());
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    judge.table(await start({ claim_token: claimToken, email }), {
      'claimed-refused': refused,
      'claimed-code': error(409, 'claimed_or_in_flight'),
    });

    async function unknownTokens(): Promise<void> {
      const tampered = claimToken.slice(0, -4) + (claimToken.endsWith('AAAA') ? 'BBBB' : 'AAAA');
      for (const token of [tampered, world.invented.token(), '']) {
        const answer = await start({ claim_token: token, email });
        if (!judge.table(answer, { 'unknown-refused': refused })) continue;
        // An empty one may as well count as missing.
        if (token === '') continue;
        judge.table(answer, { 'unknown-code': error(401, 'invalid_claim_token') });
        if (answer.status !== 401) continue;
        judge.table(answer, {
          challenge: challengeField(
            (field) =>
              answer.header('www-authenticate') !== undefined &&
              readChallenges(field) !== undefined,
          ),
          'challenge-scheme': agentAuthChallenge(),
        });
      }
      judge.skip(['challenge', 'challenge-scheme'], 'Nothing was answered 401.');
    }

    async function malformedEmails(): Promise<void> {
      const { elsewhere, invented } = world;
      const [one, two] = [invented.word(), invented.word()];
      for (const wrong of [
        one,
        `@${elsewhere}`,
        `${one}@${two}@${elsewhere}`,
        `${one} ${two}@${elsewhere}`,
      ]) {
        const answer = await start({ claim_token: claimToken, email: wrong });
        judge.table(answer, { 'no-address': refused }, { case: JSON.stringify(wrong) });
      }
    }

    /** Resolves with an open attempt for the email. */
    async function openAttempt(): Promise<Answer> {
      const two = { claim_token: claimToken, email, login_hint: world.freshEmail() };
      judge.table(await start(two), { 'login-hint': refused }, { case: 'an email that differs' });
      const hinted = await start({ claim_token: claimToken, login_hint: email });
      judge.table(hinted, { 'login-hint': status(200) }, { case: 'login_hint alone' });
      if (hinted.status !== 200) await start({ claim_token: claimToken, email });
      // Only now that an email is on record: a member that is ignored would be one that is missing.
      for (const body of [
        { email },
        { claim_token: 1, email },
        { claim_token: claimToken, email: 1 },
      ]) {
        const wrong = { case: `the members ${Object.keys(body).join(', ')}, one wrong or missing` };
        judge.table(await start(body), { 'members-needed': refused }, wrong);
      }
      const again = await start({ claim_token: claimToken });
      judge.table(again, { 'address-on-record': status(200) });
      return again.status === 200 ? again : start({ claim_token: claimToken, email });
    }
  },
});
