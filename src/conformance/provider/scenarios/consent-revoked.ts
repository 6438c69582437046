import { CannotTest, type Judge, type Reading } from '../../engine/judge.ts';
import { judgePart } from '../../engine/judge-part.ts';
import type { Answer } from '../../http/answer.ts';
import { providerScenario } from '../provider-scenario.ts';
import { isMinted, refusedBy } from '../steps/rows.ts';

export const consentRevoked = providerScenario({
  id: 'consent-revoked',
  title: 'A user revokes a consent',
  checks: {
    accepted: 'The consent_revocation_endpoint takes the request of an agent.',
    answer:
      'The consent_revocation_endpoint answers with the audience and, as a boolean, whether a consent was revoked.',
    refused: 'After a consent is revoked, the agent gets no ID-JAG for that service.',
    apart: 'To give or revoke the consent to one service leaves that to another as it is.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const [one, other] = [world.audience().issuer, world.audience().issuer];
    const session = await world.session();
    const isRefused = refusedBy(world.breaking);
    await world.idJag(session, one);
    await world.idJag(session, other);
    const stillThere = (audience: string, what: string) =>
      judgePart(judge, 'apart', async () => {
        const answer = await world.client.mint(session.idToken, audience);
        judge.expect('apart', isMinted(answer), answer, { case: what });
      });
    await stillThere(one, 'the first, after the consent to a second one');
    const answered = await world.revoke(session, one);
    if (answered === undefined) {
      judge.skip(
        ['accepted', 'answer'],
        'The metadata of the provider names no consent_revocation_endpoint.',
      );
    } else {
      judgeAnswer(judge, answered, one);
    }
    const refused = await world.client.mint(session.idToken, one);
    judge.table(refused, { refused: isRefused });
    await stillThere(other, 'the second, after that to the first was revoked');
    if (answered?.ok === true) {
      const again = await world.client.revokeConsent(session.idToken, one);
      judge.table(again, { answer: isReadable(one) }, { case: 'revoked again' });
    }
  },
});

/** @throws CannotTest where the agent's request is refused, so that nothing was revoked. */
function judgeAnswer(judge: Judge<'accepted' | 'answer'>, answer: Answer, audience: string): void {
  if (!judge.expect('accepted', answer.ok, answer)) {
    throw new CannotTest(`The revocation of a consent was answered ${answer.describe()}.`);
  }
  const wasRevoked = {
    ok: answer.member('revoked') !== false,
    expected: 'revoked: true, since the user had consented.',
  };
  judge.table(answer, { answer: [isReadable(audience), wasRevoked] });
}

/** As an agent reads it, which takes any `event` or none. */
const isReadable =
  (audience: string) =>
  (answer: Answer): Reading => ({
    ok:
      answer.ok &&
      answer.errorCode === undefined &&
      answer.member('audience') === audience &&
      typeof answer.member('revoked') === 'boolean',
    expected: `2xx with { "audience": "${audience}", "revoked": true or false }`,
  });
