import { CannotTest } from '../../engine/judge.ts';
import { providerScenario } from '../provider-scenario.ts';
import { isMinted, refusedBy } from '../steps/rows.ts';

export const consentRevoked = providerScenario({
  id: 'consent-revoked',
  title: 'A user revokes a consent',
  checks: {
    refused: 'After a consent is revoked, the agent gets no ID-JAG for that service.',
    'others-stay': 'Consents to other services stay valid.',
    page: 'A consent can be revoked on a page of the provider.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const [one, other] = [world.audience().issuer, world.audience().issuer];
    const session = await world.session();
    const isRefused = refusedBy(world.breaking);
    await world.idJag(session, one);
    await world.idJag(session, other);
    await world.revoke(session, one);
    const refused = await world.client.mint(session.idToken, one);
    judge.table(refused, { refused: isRefused });
    const kept = await world.client.mint(session.idToken, other);
    if (!judge.expect('others-stay', isMinted(kept), kept)) {
      throw new CannotTest('The other consent ended, too: there is none left to revoke on a page.');
    }
    const { consentsUri } = world;
    if (consentsUri === undefined) {
      judge.skip('page', 'No page is known for revoking consents: name it with --consents-page.', {
        needs: '--consents-page',
      });
      return;
    }
    const { email } = session;
    await world.user.revoke({ consentsUri, audience: other, email });
    judge.table(await world.client.mint(session.idToken, other), { page: isRefused });
  },
});
