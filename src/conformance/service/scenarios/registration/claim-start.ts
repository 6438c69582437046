import type { Answer } from '../../../http/answer.ts';
import { challengeParameter, readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { letClaim } from '../../steps/decide-claim.ts';
import { notLimited } from '../../steps/not-rate-limited.ts';
import { needClaim } from '../../steps/polls.ts';

export const claimStart = serviceScenario({
  id: 'claim-start',
  title: 'Opening a claim with a token or an address that is no good',
  checks: {
    'unknown-refused': 'An unknown claim token opens nothing.',
    'unknown-code': 'It is answered 401 invalid_claim_token.',
    challenge: 'A 401 carries a challenge, as every 401 does.',
    'challenge-scheme': 'The challenge is of the scheme AgentAuth and names the error.',
    'members-needed': 'A request whose members are missing or of another JSON type is refused.',
    'no-address': 'An email that is no address is refused.',
    'login-hint': 'login_hint is read as email, and two that differ are refused.',
    'address-on-record': 'Once an address is on record it need not be sent again.',
    'claimed-refused': 'A claimed registration opens no further attempt.',
    'claimed-code': 'It is answered 409 claimed_or_in_flight.',
  },
  async run(judge, world) {
    needClaim(world);
    const { client } = world;
    const { claimToken } = await world.anonymous();
    const email = world.freshEmail();
    const endpoint = client.endpoint('claimEndpoint');
    const start = async (body: unknown) =>
      notLimited(await client.postJson(endpoint, body, { from: 'agent' }));
    await unknownTokens();
    await noAddresses();
    const open = await hintsAndMemory();
    const { userCode, verificationUri } = world.mustClaim(open);
    await letClaim(world, { verificationUri, userCode, email, decision: 'approve' });
    const late = await start({ claim_token: claimToken, email });
    judge.expect('claimed-refused', late.refused, late);
    judge.expect(
      'claimed-code',
      late.status === 409 && late.errorCode === 'claimed_or_in_flight',
      late,
    );

    async function unknownTokens(): Promise<void> {
      const tampered = claimToken.slice(0, -4) + (claimToken.endsWith('AAAA') ? 'BBBB' : 'AAAA');
      for (const token of [tampered, world.invented.token(), '', `${claimToken} `]) {
        const answer = await start({ claim_token: token, email });
        judge.expect(
          'unknown-refused',
          answer.refused,
          // Some readers trim what they are given: the sender has the right token all the same.
          answer,
          { warn: token.endsWith(' ') },
        );
        // An empty one may as well count as missing.
        if (!answer.refused || token === '') continue;
        judge.expect(
          'unknown-code',
          answer.status === 401 && answer.errorCode === 'invalid_claim_token',
          answer,
        );
        if (answer.status === 401) judgeChallenge(answer);
      }
      judge.skip(['challenge', 'challenge-scheme'], 'Nothing was answered 401.');
    }

    function judgeChallenge(answer: Answer): void {
      const field = answer.header('www-authenticate');
      const seen = `WWW-Authenticate: ${field ?? '(none)'}`;
      const { exchange } = answer;
      judge.expect('challenge', field !== undefined && readChallenges(field) !== undefined, seen, {
        exchange,
      });
      const named = challengeParameter(field, 'agentauth', 'error');
      judge.expect('challenge-scheme', named === answer.errorCode, seen, {
        expected: `AgentAuth error="${answer.errorCode}"`,
        exchange,
      });
    }

    async function noAddresses(): Promise<void> {
      const { elsewhere, invented } = world;
      const [one, two] = [invented.word(), invented.word()];
      for (const wrong of [
        one,
        `@${elsewhere}`,
        `${one}@${two}@${elsewhere}`,
        `${one} ${two}@${elsewhere}`,
      ]) {
        const answer = await start({ claim_token: claimToken, email: wrong });
        judge.expect('no-address', answer.refused, answer, {
          expected: `a refusal of ${JSON.stringify(wrong)}`,
        });
      }
    }

    /** Ends with an open attempt for the address. */
    async function hintsAndMemory(): Promise<Answer> {
      const two = { claim_token: claimToken, email, login_hint: world.freshEmail() };
      const unclear = await start(two);
      judge.expect('login-hint', unclear.refused, unclear);
      const hinted = await start({ claim_token: claimToken, login_hint: email });
      judge.expect('login-hint', hinted.status === 200, hinted);
      if (hinted.status !== 200) await start({ claim_token: claimToken, email });
      // Only now that an address is on record: a member that is ignored would be one that is missing.
      for (const body of [
        { email },
        { claim_token: 1, email },
        { claim_token: claimToken, email: 1 },
      ]) {
        const answer = await start(body);
        judge.expect('members-needed', answer.refused, answer, {
          expected: `a refusal of ${JSON.stringify(Object.keys(body))} with a wrong or missing member`,
        });
      }
      const again = await start({ claim_token: claimToken });
      judge.expect('address-on-record', again.status === 200, again);
      return again.status === 200 ? again : start({ claim_token: claimToken, email });
    }
  },
});
