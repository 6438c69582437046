import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isAccepted, mustBeAccepted, presentNew } from '../../steps/present-id-jag.ts';
import { untilFetched } from '../../steps/publish-keys.ts';

export const idJagKeyRedirect = serviceScenario({
  id: 'id-jag-key-redirect',
  title: 'Keys come from where they are configured to be',
  checks: { unfollowed: 'No key is taken from where a redirect of the key set leads.' },
  costly: true,
  // While it waits, the key set of the provider is not fit for others.
  alone: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const { provider, stranger } = world.providers;
    const hidden = makeKey();
    // With the right ones beside it: a service that keeps this set goes on working.
    stranger.moved = [...provider.published, hidden.jwk];
    provider.redirect = stranger.movedUri;
    const present = async () => (await presentNew(world, { key: hidden })).answer;
    const answer = await untilFetched(world, provider, present);
    judge.table(answer, { unfollowed: { ok: !isAccepted(answer) } });
  },
});
