import { NotApplicable } from '../../../engine/judge.ts';
import { NoDenial } from '../../../user/own-reading.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isGranted, scopesOf } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { ClaimScopes } from '../../steps/claim-scopes.ts';
import { needClaim } from '../../steps/polls.ts';
import { wrongCodes } from '../../steps/user-codes.ts';

/** More than any sensible service allows on one attempt. */
const MANY = 20;

export const beforeClaim = serviceScenario({
  id: 'before-claim',
  title: 'A claim goes wrong, and the registration stays as small as it was',
  checks: {
    denied: 'After a denial an exchange gives no scope that only a claim brings.',
    'wrong-codes': 'After too many wrong codes an exchange gives no such scope either.',
    reopened: 'With a new attempt open an exchange gives no such scope either.',
  },
  costly: true,
  async run(judge, world) {
    needClaim(world);
    const { client, facts } = world;
    const email = world.userEmail();
    const { answer: registered, assertion, claimToken } = await world.anonymous();
    const first = await client.exchange(assertion);
    world.must(first, 'access_token', 'an exchange');
    const [scope] = new ClaimScopes(registered, first, facts.metadata).postClaimOnly;
    if (scope === undefined) {
      throw new NotApplicable('The service names no scope that only a claim brings.');
    }
    const claim = await world.openClaim(claimToken, email);
    const session = await ClaimPageSession.open(world, claim, email);
    for (const code of wrongCodes(claim.userCode, MANY)) {
      await session.approve(code);
      if (!session.asksForCode) break;
    }
    await expectSmall('wrong-codes');
    const reopened = readClaimBlock(await client.startClaim(claimToken, email));
    if (reopened === undefined) {
      return judge.skip(['reopened', 'denied'], 'No other attempt is opened after wrong codes.');
    }
    await expectSmall('reopened');
    const again = await ClaimPageSession.open(world, reopened, email);
    if (!again.canDeny) return judge.skip('denied', new NoDenial().message);
    await again.deny();
    await expectSmall('denied');

    async function expectSmall(name: 'denied' | 'wrong-codes' | 'reopened'): Promise<void> {
      for (const more of [{}, { scope: scope ?? '' }]) {
        const answer = await client.exchange(assertion, more);
        // Without a word of scope it is what was asked for (RFC 6749 §5.1).
        const given = scopesOf(answer) ?? Object.values(more);
        const isBeyond = isGranted(answer) && given.includes(scope ?? '');
        judge.expect(name, !isBeyond, answer, { case: JSON.stringify(more) });
      }
    }
  },
});
