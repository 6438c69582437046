import type { Judge } from '../../engine/judge.ts';
import { openJwt } from '../../jwt/open.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld } from '../provider-world.ts';
import { signedInAt } from '../sign-in.ts';
import type { EventAnswer } from '../test-service.ts';

/** After so long a provider has tried again what failed once or twice. Milliseconds. */
const LATER = 120_000;
/** A repetition within this comes without delay. Milliseconds. */
const AT_ONCE = 1_000;

const PASSING: readonly (readonly [what: string, answer: EventAnswer])[] = [
  ['503', { status: 503, headers: { 'retry-after': '1' } }],
  ['429', { status: 429, headers: { 'retry-after': '1' } }],
  ['a connection that breaks off', 'drop'],
];
const lasting = (element: string): readonly (readonly [what: string, answer: EventAnswer])[] => [
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
  title: 'A service does not take an event at the first try',
  checks: {
    retried: 'After a 5xx, a 429 or a broken connection the event is sent again.',
    delayed: 'It is not sent again at once.',
    'same-event': 'Each attempt carries the same jti.',
    stops: 'After a refusal it is not sent again.',
    once: 'An event that was taken is not sent again.',
    'shown-as-text': 'The words of a refusal are shown to users without control characters.',
    'no-redirect': 'A redirect of the events endpoint is not followed.',
  },
  async run(judge, world) {
    const session = await world.session();
    const told = async (answers: readonly EventAnswer[]) => {
      const service = world.audience();
      service.answers.push(...answers);
      await world.idJag(session, service.issuer);
      await world.revoke(session, service.issuer);
      await world.delivered(service, 1);
      return service;
    };
    const passing = [];
    // Fails twice, so that what should have ended is over when its second repetition is seen.
    for (const [what, answer] of PASSING) passing.push({ what, at: await told([answer, answer]) });
    const refusing = [];
    const element = `<img/src=${world.invented.word()}`;
    for (const [what, answer] of lasting(element)) {
      refusing.push({ what, at: await told([answer, answer, answer, answer]) });
    }
    const taken = await told([]);
    const moved = await told([redirectTo(world), redirectTo(world), redirectTo(world)]);

    // Revoking again asks some providers to try once more, so nobody asks for anything from here on.
    for (const { what, at } of passing) {
      const [first, second] = at.deliveries;
      const hurried = first && second && second.at - first.at < AT_ONCE;
      judge.expect(
        'delayed',
        hurried !== true,
        `the next attempt after ${(second?.at ?? 0) - (first?.at ?? 0)} ms`,
        { expected: `a pause after ${what}`, exchange: second?.exchange },
      );
    }
    for (const round of [2, 3]) {
      // What failed is written down before the time moves on: another service is told meanwhile.
      if (round === 3) await told([]);
      await world.time.pass(LATER);
      await nudge(world);
      for (const { what, at } of passing) {
        const again = await world.delivered(at, round);
        if (round === 2) {
          judge.expect('retried', again, `${at.deliveries.length} attempts in all`, {
            expected: `another attempt after ${what}`,
            exchange: at.deliveries[0]?.exchange,
          });
        }
      }
    }
    for (const { at } of passing) {
      const ids = new Set(at.deliveries.map(({ body }) => openJwt(body)?.claims['jti']));
      judge.expect('same-event', ids.size <= 1, [...ids].join(', '), {
        exchange: at.deliveries[1]?.exchange,
      });
    }
    for (const { what, at } of refusing) {
      judge.expect('stops', at.deliveries.length <= 1, `${at.deliveries.length} attempts`, {
        expected: `no other attempt after ${what}`,
        exchange: at.deliveries[1]?.exchange,
      });
    }
    judge.expect('once', taken.deliveries.length <= 1, `${taken.deliveries.length} deliveries`, {
      exchange: taken.deliveries[1]?.exchange,
    });
    await judgeShownText(judge, world, session.email, element);
    const followed = world.services.elsewhere.hits;
    judge.expect(
      'no-redirect',
      moved.deliveries.length > 0 && followed.length === 0,
      followed.join(', ') || 'no request at all',
    );
  },
});

function redirectTo({ services }: ProviderWorld): EventAnswer {
  return { status: 307, headers: { location: `${services.elsewhere.origin}/events` } };
}

/** Where the provider's page of consents is known, it may say why a service was not told. */
async function judgeShownText(
  judge: Judge<'shown-as-text'>,
  world: ProviderWorld,
  email: string,
  element: string,
): Promise<void> {
  const { consentsUri } = world;
  if (consentsUri === undefined) {
    judge.skip('shown-as-text', 'No page is known that could show them: see --consents-page.');
    return;
  }
  const { answer } = await signedInAt(world.visitor(), consentsUri, email);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const raw = /[\u001b\u0007\u202e]/.test(answer.text) || answer.text.includes(element);
  judge.expect('shown-as-text', !raw, 'the words of a service as they came', {
    exchange: answer.exchange,
  });
}

/** Any request: some providers look at what is due only when they are asked for something. */
async function nudge(world: ProviderWorld): Promise<void> {
  await world.send(world.facts.metadataAddress);
}
