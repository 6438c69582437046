import { NotApplicable } from '../../../engine/judge.ts';
import { Redeemer, type Redeeming } from '../../cross-app/redeemer.ts';
import { expectNotRedeemed } from '../../cross-app/refusals.ts';
import type { TestClient } from '../../cross-app/test-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted } from '../../steps/answers.ts';
import { CLIENT_PATHS } from '../../test-provider.ts';

const REPLAYED = 'RFC 7523 §3 leaves it to the server whether it keeps the jti of what it took.';

export const redemptionDocuments = serviceScenario({
  id: 'redemption-documents',
  title: 'A client is what its metadata document says',
  checks: {
    taken: 'A client that its document describes redeems an ID-JAG, by an assertion of its key.',
    mismatch: 'A document whose `client_id` is another URL describes nobody.',
    secret: 'A document with a shared secret describes nobody.',
    redirect: 'A redirect in the place of a document is not followed.',
    'assertion-needed': 'A client whose document has keys is refused without an assertion.',
    'other-key': 'An assertion that is signed with another key is refused.',
    audience: 'An assertion for another server is refused.',
    expired: 'An assertion that has expired is refused.',
    replay: 'An assertion of a client is taken once.',
  },
  blockedBy: ['redemption.granted'],
  costly: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    if (world.facts.metadata['client_id_metadata_document_supported'] !== true) {
      throw new NotApplicable(
        'The metadata does not say that clients may have metadata documents (client_id_metadata_document_supported).',
      );
    }
    const { provider, stranger } = world.providers;
    const { documented } = redeemer.facts;
    const at = (path: string): TestClient => ({ ...documented, id: provider.issuer + path });
    const redeem = (client: TestClient, redeeming: Redeeming = {}) => {
      const claims = { client_id: client.id };
      return redeemer.redeemNew({ claims }, undefined, { client, ...redeeming });
    };
    await redeemer.unlock();
    if (!judge.table(await redeem(documented), { taken: granted })) return;
    for (const check of ['mismatch', 'secret', 'redirect'] as const) {
      expectNotRedeemed(judge, check, await redeem(at(CLIENT_PATHS[check])));
    }
    const { id } = documented;
    const wrong = [
      ['assertion-needed', { client: { id, method: 'none' } }],
      ['other-key', { client: { ...documented, key: stranger.clientKey } }],
      ['audience', { clientClaims: { aud: `https://${world.elsewhere}` } }],
      ['expired', { clientClaims: { iat: 1, exp: 61 } }],
    ] as const satisfies readonly (readonly [string, Redeeming])[];
    for (const [check, redeeming] of wrong) {
      expectNotRedeemed(judge, check, await redeem(documented, redeeming));
    }
    const clientClaims = { jti: provider.unique('ca') };
    if (judge.table(await redeem(documented, { clientClaims }), { taken: granted })) {
      const again = await redeem(documented, { clientClaims });
      expectNotRedeemed(judge, 'replay', again, { reading: REPLAYED });
    }
  },
});
