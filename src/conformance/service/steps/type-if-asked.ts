import type { Answer } from '../../http/answer.ts';
import { decide } from '../../user/form-user.ts';
import type { ServiceWorld } from '../service-world.ts';
import { visit } from './claim-page-session.ts';
import { pollPatiently } from './polls.ts';

/** Opens a link, signs in, types the code where one is asked for, and polls: what came of it? */
export async function typeIfAsked(
  world: ServiceWorld,
  claim: {
    readonly verificationUri: string;
    readonly userCode: string;
    readonly claimToken: string;
  },
  email: string,
): Promise<Answer> {
  const { form, page, visitor } = await visit(world, claim.verificationUri, email);
  if (form !== undefined) {
    await decide(visitor, page, form, { userCode: claim.userCode, decision: 'approve' });
  }
  return pollPatiently(world, claim.claimToken);
}
