import type { Answer } from '../../http/answer.ts';
import { providerScenario } from '../provider-scenario.ts';
import { mintRefused } from '../steps/rows.ts';
import type { TestService } from '../test-service.ts';

export const eventUrl = providerScenario({
  id: 'event-address',
  title: 'A service has its events sent elsewhere',
  checks: {
    'metadata-issuer': 'With metadata of another issuer the provider sends no event.',
    'metadata-redirect': 'The provider does not follow a redirect of the metadata.',
    'foreign-origin': 'The provider sends nothing to an events endpoint on another origin.',
    tls: 'The provider sends nothing to a server whose certificate is not trusted.',
    local: 'A consent ends even where the service has no events endpoint.',
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
    const notSent = (hit: string) => ({ ok: !services.elsewhere.hits.includes(hit), seen: hit });
    judge.table(services, { 'metadata-redirect': notSent('GET /metadata') });

    const foreign = world.audience();
    foreign.agentAuth = { events_endpoint: `${services.elsewhere.origin}/events` };
    await revokedAt(foreign);
    // The metadata is the audience's own; it may have its events sent elsewhere.
    judge.table(services, { 'foreign-origin': { ...notSent('POST /events'), warn: true } });

    const withoutEvents = world.audience();
    withoutEvents.agentAuth = { events_endpoint: undefined, events_supported: undefined };
    const answer = await revokedAt(withoutEvents);
    judge.expect('local', answer === undefined || answer.ok, answer ?? '');
    const refused = await world.client.mint(session.idToken, withoutEvents.issuer);
    judge.table(refused, { local: mintRefused });

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
