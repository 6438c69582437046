import type { Answer } from '../../http/answer.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { TestService } from '../test-service.ts';
import { isRefused } from './mint-refusals.ts';

export const eventUrl = providerScenario({
  id: 'event-address',
  title: 'A service tries to have its events sent to somebody else',
  checks: {
    'metadata-issuer': 'Metadata of another issuer leads to no delivery.',
    'metadata-redirect': 'Metadata that lies behind a redirect is not fetched.',
    'foreign-origin': 'An events endpoint of another origin gets nothing.',
    tls: 'A server whose certificate does not hold gets nothing.',
    local: 'Where a service takes no events, the consent ends all the same.',
  },
  async run(judge, world) {
    const { services } = world;
    const session = await world.session();
    const revokedAt = async (service: TestService): Promise<Answer | undefined> => {
      await world.idJag(session, service.issuer);
      const answer = await world.revoke(session, service.issuer);
      return answer;
    };
    const mixed = world.audience();
    mixed.metadata = { issuer: `${mixed.issuer}-${world.invented.word()}` };
    await revokedAt(mixed);
    judge.expect('metadata-issuer', mixed.deliveries.length === 0, 'an event', {
      exchange: mixed.deliveries[0]?.exchange,
    });

    const moved = world.audience();
    moved.metadataMovedTo = `${services.elsewhere.origin}/metadata`;
    await revokedAt(moved);
    judge.expect(
      'metadata-redirect',
      !services.elsewhere.hits.includes('GET /metadata'),
      'GET /metadata',
    );

    const foreign = world.audience();
    foreign.agentAuth = { events_endpoint: `${services.elsewhere.origin}/events` };
    await revokedAt(foreign);
    judge.expect(
      'foreign-origin',
      !services.elsewhere.hits.includes('POST /events'),
      // The metadata is the audience's own, and events may be taken in another place.
      'POST /events',
      { warn: true },
    );

    const deaf = world.audience();
    deaf.agentAuth = { events_endpoint: undefined, events_supported: undefined };
    const answer = await revokedAt(deaf);
    judge.expect('local', answer === undefined || answer.ok, answer ?? '');
    const refused = await world.client.mint(session.idToken, deaf.issuer);
    judge.expect('local', isRefused(refused), refused);

    const untrusted = services.untrusted.origin;
    const minted = await world.mintWithConsent(session, untrusted);
    if (minted.string('access_token') === undefined) {
      judge.skip('tls', `The provider mints nothing for ${untrusted}.`);
      return;
    }
    await world.revoke(session, untrusted);
    judge.expect('tls', services.untrusted.hits.length === 0, services.untrusted.hits.join(', '));
  },
});
