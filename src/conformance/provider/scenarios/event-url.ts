import { CannotTest, type Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld, UserSession } from '../provider-world.ts';
import { judgePart } from '../steps/judge-part.ts';
import { isMinted, refusals } from '../steps/rows.ts';

export const eventUrl = providerScenario({
  id: 'event-address',
  title: 'A service has its events sent elsewhere',
  restsOn: {
    'metadata-issuer': 'event-sent.sent',
    'metadata-redirect': 'event-sent.sent',
    'foreign-origin': 'event-sent.sent',
    tls: 'event-sent.sent',
  },
  checks: {
    'metadata-issuer': 'With metadata of another issuer the provider sends no event.',
    'metadata-redirect': 'The provider does not follow a redirect of the metadata.',
    'foreign-origin': 'The provider sends nothing to an events endpoint on another origin.',
    tls: 'The provider sends nothing to a server whose certificate is not trusted.',
    local: 'A consent ends even where the service has no events endpoint.',
  },
  async run(judge, world) {
    const { elsewhere, untrusted } = world.services;
    const session = await world.session();
    const refused = refusals();
    const right = world.audience();
    await world.idJag(session, right.issuer);

    const mixed = world.audience();
    mixed.metadata = { issuer: `${mixed.issuer}-${world.invented.word()}` };
    const mixedMint = await mintAndRevoke(world, session, mixed.issuer);
    const moved = world.audience();
    moved.metadataMovedTo = `${elsewhere.origin}/metadata`;
    const movedMint = await mintAndRevoke(world, session, moved.issuer);
    const foreign = world.audience();
    foreign.agentAuth = { events_endpoint: `${elsewhere.origin}/events` };
    const foreignMint = await mintAndRevoke(world, session, foreign.issuer);
    await judgePart(judge, 'local', async () => {
      const service = world.audience();
      service.agentAuth = { events_endpoint: undefined, events_supported: undefined };
      const minted = await world.mintWithConsent(session, service.issuer);
      if (!isMinted(minted)) {
        judge.skip(
          'local',
          `The provider mints nothing for a service without events: ${minted.describe()}.`,
        );
        return;
      }
      const answer = await world.revoke(session, service.issuer);
      judge.expect('local', answer === undefined || answer.ok, answer ?? '');
      const after = await world.client.mint(session.idToken, service.issuer);
      judge.table(after, { local: refused });
    });
    let tlsMint: Answer | undefined;
    await judgePart(judge, 'tls', async () => {
      world.needOpenAudiences();
      tlsMint = await mintAndRevoke(world, session, untrusted.origin);
    });

    // This event shows that the provider sends events, and that the others had the time to come.
    await world.revoke(session, right.issuer);
    if (!(await world.delivered(right, 1))) {
      throw new CannotTest(
        `For a service with right metadata no event came ${world.inTime} either, so it shows nothing that none was sent elsewhere.`,
      );
    }
    /** Refusing to mint is as right as minting and sending nothing. */
    const sentNothing = (minted: Answer, hits: readonly string[]): Reading =>
      hits.length > 0
        ? { ok: false, seen: hits.join(', ') }
        : isMinted(minted)
          ? { ok: true }
          : { seen: minted, exchange: minted.exchange, ...refused(minted) };
    const at = (hit: string) => elsewhere.hits.filter((each) => each === hit);
    judge.table(world.facts, {
      'metadata-redirect': sentNothing(movedMint, at('GET /metadata')),
      // The metadata is the audience's own; it may have its events sent elsewhere.
      'foreign-origin': { ...sentNothing(foreignMint, at('POST /events')), warn: true },
      tls: tlsMint && sentNothing(tlsMint, untrusted.hits),
    });
    const [event] = mixed.deliveries;
    if (event === undefined && isMinted(mixedMint) && mixed.metadataReads === 0) {
      throw new CannotTest(
        'The provider did not read the metadata of another issuer before it would have sent an event.',
      );
    }
    judge.table(world.facts, {
      'metadata-issuer': sentNothing(
        mixedMint,
        mixed.deliveries.map(({ method }) => `${method} ${mixed.eventsEndpoint}`),
      ),
    });
  },
});

/** Resolves to the answer to the mint; what was not minted for cannot be revoked. */
async function mintAndRevoke(
  world: ProviderWorld,
  session: UserSession,
  issuer: string,
): Promise<Answer> {
  const answer = await world.mintWithConsent(session, issuer);
  if (isMinted(answer)) await world.revoke(session, issuer);
  return answer;
}
