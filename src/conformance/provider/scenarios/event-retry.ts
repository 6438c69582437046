import { CannotTest, type Judge, judgePart, type Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { openJwt } from '../../jwt/open.ts';
import { type ProviderWorld, providerScenario, type UserSession } from '../provider-world.ts';
import { signedInAt } from '../sign-in.ts';
import { isMinted, refusedBy } from '../steps/rows.ts';
import type { ServiceAnswer, TestService } from '../test-service.ts';

/** Within this time a provider has retried what failed once or twice. Milliseconds. */
const LATER = 120_000;
/** A retry within this time has no delay. Milliseconds. */
const AT_ONCE = 1_000;

const PASSING: readonly (readonly [what: string, answer: ServiceAnswer])[] = [
  ['503', { status: 503, headers: { 'retry-after': '1' } }],
  ['429', { status: 429, headers: { 'retry-after': '1' } }],
  ['a broken connection', 'drop'],
];
const lasting = (element: string): readonly (readonly [what: string, answer: ServiceAnswer])[] => [
  [
    '400',
    {
      status: 400,
      headers: { 'content-type': 'application/json', 'content-language': 'en' },
      body: `{"err":"invalid_issuer","description":"\\u001b[2J\\u202eNot\\u0007 ${element}>here"}`,
    },
  ],
  ['403', { status: 403 }],
];

export const eventRetry = providerScenario({
  id: 'event-retry',
  title: 'A service does not accept an event at the first attempt',
  checks: {
    retried: 'After a 5xx, a 429 or a broken connection the event is sent again.',
    delayed: 'A retry comes after a pause.',
    'same-event': 'Each attempt carries the same jti.',
    stops: 'After a refusal (400, 403) the event is not sent again.',
    once: 'An accepted event is not sent again.',
    'shown-as-text':
      'The consents page escapes the text of a refusal and drops its control characters.',
    'no-redirect': 'The provider does not follow a redirect of the events endpoint.',
  },
  resting: {
    'event-sent.sent': [
      'retried',
      'delayed',
      'same-event',
      'stops',
      'once',
      'shown-as-text',
      'no-redirect',
    ],
    'event-retry.retried': ['delayed', 'same-event'],
  },
  costly: true,
  // A provider may send again what is due whenever somebody revokes.
  alone: true,
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const session = await world.session();
    const notify = async (answers: readonly ServiceAnswer[]) => {
      const service = world.audience();
      service.answers.push(...answers);
      await world.idJag(session, service.issuer);
      await world.revoke(session, service.issuer);
      if (await world.delivered(service, 1)) return service;
      throw new CannotTest(
        `When a consent was revoked, no event came ${world.inTime}: there is nothing to send again.`,
      );
    };
    // A provider that sends nothing at all ends the scenario here.
    const taken = await notify([]);
    const passing: { readonly what: string; readonly at: TestService }[] = [];
    // Fails twice: at the second retry, whatever should have stopped has stopped.
    for (const [what, answer] of PASSING)
      passing.push({ what, at: await notify([answer, answer]) });
    const refusing = [];
    const element = `<img/src=${world.invented.word()}`;
    for (const [what, answer] of lasting(element)) {
      refusing.push({ what, at: await notify([answer, answer, answer, answer]) });
    }
    const elsewhere = `/${world.invented.word()}`;
    const redirect = redirectTo(world, elsewhere);
    await notify([redirect, redirect, redirect]);
    // The provider records a failure before it sends the next event.
    await notify([]);
    await judgePart(judge, 'shown-as-text', () =>
      judgeShownText(judge, world, session.email, element),
    );
    const judgeRedirect = () => {
      const followed = world.services.elsewhere.hits.filter((hit) => hit.endsWith(elsewhere));
      const seen = followed.join(', ');
      judge.table(session, { 'no-redirect': { ok: followed.length === 0, seen } });
    };
    judgeRedirect();

    // Some providers retry at each revocation, so there is none from here on.
    // Whatever is sent again by now came at once: no clock was moved yet.
    for (const { what, at } of passing) {
      const [first, second] = at.deliveries;
      if (first === undefined || second === undefined) continue;
      const pause = second.at - first.at;
      judge.expect('delayed', pause >= AT_ONCE, `the next attempt after ${pause} ms`, {
        case: what,
        exchange: second.exchange,
      });
    }
    for (const round of [2, 3]) {
      // Lets the provider record the failure before the clock moves: another service is notified.
      if (round === 3) await notify([]);
      await world.time.pass(LATER);
      await nudge(world);
      for (const { what, at } of passing) {
        const again = await world.delivered(at, round);
        if (round === 2) {
          judge.expect('retried', again, `${at.deliveries.length} attempts in all`, {
            case: what,
            exchange: at.deliveries[0]?.exchange,
          });
        }
      }
    }
    const isRetried = passing.some(({ at }) => at.deliveries.length > 1);
    if (isRetried) judge.expect('delayed', true, '');
    for (const { at } of passing) {
      const ids = new Set(at.deliveries.map(({ body }) => openJwt(body)?.claims['jti']));
      const more = { exchange: at.deliveries[1]?.exchange };
      // One attempt is the same as itself.
      if (at.deliveries.length > 1) {
        judge.expect('same-event', ids.size <= 1, [...ids].join(', '), more);
      }
    }
    judge.untestable(['delayed', 'same-event'], 'No event was sent again.');
    judge.table(session, {
      stops: refusing.map(({ what, at }) => ({ ...sentOnce(at), case: what })),
      once: sentOnce(taken),
    });
    judgeRedirect();
  },
});

function sentOnce({ deliveries }: TestService): Reading {
  return {
    ok: deliveries.length <= 1,
    seen: `${deliveries.length} attempts`,
    exchange: deliveries[1]?.exchange,
  };
}

function redirectTo({ services }: ProviderWorld, path: string): ServiceAnswer {
  return { status: 307, headers: { location: services.elsewhere.origin + path } };
}

/** The consents page, where known, may show why a service was not notified. */
async function judgeShownText(
  judge: Judge<'shown-as-text'>,
  world: ProviderWorld,
  email: string,
  element: string,
): Promise<void> {
  const { consentsUri } = world;
  if (consentsUri === undefined) {
    judge.skip(
      'shown-as-text',
      'No page is known that could show it: name it with --consents-page.',
      { needs: '--consents-page' },
    );
    return;
  }
  const { answer } = await signedInAt(world.visitor(), consentsUri, email, world.means);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const raw = /[\u001b\u0007\u202e]/.test(answer.text) || answer.text.includes(element);
  judge.expect('shown-as-text', !raw, 'the text of a service unescaped', answer);
}

/** Sends a request, since some providers send what is due only when one comes. */
async function nudge(world: ProviderWorld): Promise<void> {
  await world.send(world.facts.metadataUrl);
}

export const eventUrl = providerScenario({
  id: 'event-address',
  title: 'A service has its events sent elsewhere',
  resting: { 'event-sent.sent': ['metadata-issuer', 'metadata-redirect', 'foreign-origin', 'tls'] },
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
