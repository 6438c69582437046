import { Redeemer } from '../../cross-app/redeemer.ts';
import { claiming, refuseEach } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-world.ts';

export const redemptionAudience = serviceScenario({
  id: 'redemption-audience',
  title: 'An ID-JAG is redeemed only where it was minted for, by the client that it names',
  checks: {
    'other-server': 'An ID-JAG that was minted for another server is refused.',
    'look-alike': "An ID-JAG whose `aud` only begins with the server's issuer is refused.",
    several: 'An ID-JAG whose `aud` names the server and others is refused.',
    client: 'An ID-JAG that names another client is refused.',
    resource: 'An ID-JAG for the resource of another server is refused.',
  },
  resting: { 'redemption-audience.other-server': ['look-alike', 'several'] },
  blockedBy: ['redemption.granted'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { elsewhere, facts, invented } = world;
    const { issuer } = facts;
    const another = `https://${elsewhere}`;
    await refuseEach(judge, world, redeemer, [
      claiming('other-server', 'aud of another server', { aud: another }),
      claiming('other-server', 'aud a list with another server', { aud: [another] }),
      claiming('other-server', 'without aud', { aud: undefined }),
      ...[`${issuer}.${elsewhere}`, `${issuer}/${invented.word()}`].map((aud) =>
        claiming('look-alike', `aud ${aud}`, { aud }),
      ),
      claiming('several', 'aud [server, another]', { aud: [issuer, another] }),
      claiming('several', 'aud [another, server]', { aud: [another, issuer] }),
      claiming('several', 'aud []', { aud: [] }),
      claiming('client', 'client_id of another', { client_id: invented.word() }),
      claiming('client', 'without client_id', { client_id: undefined }),
      claiming('client', 'client_id in a list', { client_id: [redeemer.client.id] }),
      claiming('resource', 'resource of another', { resource: `${another}/mcp` }),
    ]);
  },
});
