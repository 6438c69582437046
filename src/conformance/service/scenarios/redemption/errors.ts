import { NotApplicable } from '../../../engine/judge.ts';
import { mediaType, noStore } from '../../../engine/rows.ts';
import { makeKey } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { claiming } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-world.ts';
import { error } from '../../steps/answers.ts';

/** Letters. */
const TELLING = 6;
const CACHED =
  'RFC 6749 §5.1 asks for no-store where an answer has tokens: nothing stores the answer to a POST unasked.';

export const redemptionErrors = serviceScenario({
  id: 'redemption-errors',
  title: 'A refusal tells nothing of the ID-JAG',
  checks: {
    code: 'An ID-JAG that is refused is answered 400 invalid_grant.',
    json: 'A refusal is JSON that no cache keeps.',
    silent: 'A refusal repeats nothing of the ID-JAG.',
    alike: 'Whatever is wrong with an ID-JAG, the answer is the same.',
  },
  blockedBy: ['redemption.granted'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    await redeemer.unlock();
    const { subject, email } = redeemer.subject();
    const user = { sub: subject, email };
    const wrong = [
      { what: 'a foreign key', mint: { key: makeKey(), claims: user } },
      claiming('code', 'the audience', { ...user, aud: `https://${world.elsewhere}` }),
      claiming('code', 'expired', { ...user, iat: 1, exp: 301 }),
      claiming('code', 'without jti', { ...user, jti: undefined }),
      claiming('code', 'another client', { ...user, client_id: world.invented.word() }),
    ];
    const texts = new Set<string>();
    for (const { mint, what } of wrong) {
      const idJag = redeemer.idJag(mint);
      const answer = await redeemer.redeem(idJag);
      if (!answer.refused) continue;
      const { claims = {} } = openJwt(idJag) ?? {};
      const told = [subject, email, claims['jti'], idJag.split('.')[2]].filter(
        // A short one may stand in any sentence.
        (each) => typeof each === 'string' && each.length >= TELLING && answer.text.includes(each),
      );
      judge.table(
        answer,
        {
          code: error(400, 'invalid_grant'),
          json: [mediaType('application/json'), (told) => ({ ...noStore(told), reading: CACHED })],
          silent: { ok: told.length === 0, seen: `It repeats ${told.join(', ')}.` },
        },
        { case: what },
      );
      texts.add(answer.text);
    }
    if (texts.size === 0) throw new NotApplicable('No wrong ID-JAG was refused.');
    judge.expect(
      'alike',
      texts.size === 1,
      `There are ${texts.size} answers: ${[...texts].join(' ')}`,
    );
  },
});
