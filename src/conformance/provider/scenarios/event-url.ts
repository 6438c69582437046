import { CannotTest, judgePart, type Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld, UserSession } from '../provider-world.ts';
import { isMinted, refusedBy } from '../steps/rows.ts';
import type { TestService } from '../test-service.ts';

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
  },
  blockedBy: ['mint.minted'],
  costly: true,
  async run(judge, world) {
    const { elsewhere, untrusted } = world.services;
    const own = `/${world.invented.word()}`;
    const untrustedBefore = untrusted.hits.length;
    const session = await world.session();
    const refused = refusedBy(world.breaking);
    const right = world.audience();
    await world.idJag(session, right.issuer);

    /** A service of its own with wrong metadata, at which a consent is given and revoked. */
    const mintAt = async (
      name: 'metadata-issuer' | 'metadata-redirect' | 'foreign-origin',
      spoil: (service: TestService) => void,
    ): Promise<Tried | undefined> => {
      let tried: Tried | undefined;
      await judgePart(judge, name, async () => {
        const service = world.audience();
        spoil(service);
        tried = { service, minted: await mintAndRevoke(world, session, service.issuer) };
      });
      return tried;
    };
    const mixed = await mintAt('metadata-issuer', (service) => {
      service.metadata = { issuer: `${service.issuer}-${world.invented.word()}` };
    });
    const moved = await mintAt('metadata-redirect', (service) => {
      service.metadataMovedTo = `${elsewhere.origin}${own}/metadata`;
    });
    const foreign = await mintAt('foreign-origin', (service) => {
      service.agentAuth = { events_endpoint: `${elsewhere.origin}${own}/events` };
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
      'metadata-redirect': moved && sentNothing(moved.minted, at(`GET ${own}/metadata`)),
      'foreign-origin': foreign && sentNothing(foreign.minted, at(`POST ${own}/events`)),
      tls: tlsMint && sentNothing(tlsMint, untrusted.hits.slice(untrustedBefore)),
    });
    if (mixed === undefined) return;
    const { minted, service } = mixed;
    if (isMinted(minted) && service.metadataReads === 0 && service.deliveries.length === 0) {
      throw new CannotTest('The provider did not read the metadata that names another issuer.');
    }
    const sent = service.deliveries.map(({ method }) => `${method} ${service.eventsEndpoint}`);
    judge.table(world.facts, { 'metadata-issuer': sentNothing(minted, sent) });
  },
});

interface Tried {
  readonly service: TestService;
  readonly minted: Answer;
}

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
