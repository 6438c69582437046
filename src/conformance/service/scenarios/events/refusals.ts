import { MINUTE } from '../../../../protocol/index.ts';
import { judgePart } from '../../../engine/judge.ts';
import { header, is, member, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { forgeJwt, makeKey } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import {
  acknowledged,
  deliver,
  deliverRaw,
  expectActive,
  expectEventRefused,
  mustAcceptEvents,
  mustEndByEvents,
  registerActive,
} from '../../steps/deliver-event.ts';
import { expectNoFetch, type Reply } from '../../steps/expect-refused.ts';
import { untilFetched, withoutKeys } from '../../steps/publish-keys.ts';
import type { MintOptions, TestProvider } from '../../test-provider.ts';

/** The codes of RFC 8935 §2.4. */
const REGISTERED = [
  'invalid_request',
  'invalid_key',
  'invalid_issuer',
  'invalid_audience',
  'authentication_failed',
  'access_denied',
];

/** How an event is wrong: in its claims, in another way of minting it, or in the text that is sent. */
interface WrongEvent extends MintOptions {
  readonly what: string;
  /** Right ones of RFC 8935 §2.4; several where its text leaves it open. */
  readonly codes: readonly string[];
  readonly check: 'unauthentic' | 'not-for-us' | 'unknown-issuer' | 'ill-formed' | 'type';
  readonly by?: TestProvider;
  readonly text?: (right: string) => string;
}

type Wrong = Omit<WrongEvent, 'check' | 'codes'>;

function wrongEvents(world: ServiceWorld): readonly WrongEvent[] {
  const { elsewhere, invented } = world;
  const { issuer } = world.facts;
  const { provider, untrusted } = world.providers;
  const { kid } = provider.keys[0];
  const foreign = `https://${elsewhere}`;
  const withOtherJti = (right: string) => {
    const [header, , signature] = right.split('.');
    const claims = { ...openJwt(right)?.claims, jti: provider.unique('set') };
    return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
  };
  const of = (check: WrongEvent['check'], codes: readonly string[], ...wrongs: readonly Wrong[]) =>
    wrongs.map((wrong) => ({ ...wrong, check, codes }));
  return [
    ...of(
      'not-for-us',
      ['invalid_audience'],
      { what: 'for another service', claims: { aud: foreign } },
      { what: 'for several others', claims: { aud: [foreign, invented.origin()] } },
      { what: 'for a longer URL', claims: { aud: `${issuer}.${elsewhere}` } },
    ),
    ...of('not-for-us', ['invalid_audience', 'invalid_request'], {
      what: 'without aud',
      claims: { aud: undefined },
    }),
    ...of('unknown-issuer', ['invalid_issuer', 'invalid_request'], {
      what: 'without iss',
      claims: { iss: undefined },
    }),
    ...of('unknown-issuer', ['invalid_issuer'], {
      what: 'of an issuer without trust',
      by: untrusted,
    }),
    ...of(
      'unauthentic',
      ['invalid_key', 'authentication_failed'],
      { what: 'signed by a key that nobody published', key: makeKey() },
      { what: 'signed by another key than its kid says', key: makeKey(), header: { kid } },
      { what: 'with changed claims', text: withOtherJti },
    ),
    ...of(
      'ill-formed',
      ['invalid_request'],
      { what: 'without jti', claims: { jti: undefined } },
      { what: 'without iat', claims: { iat: undefined } },
      { what: 'without events', claims: { events: undefined } },
      { what: 'without any event', claims: { events: {} } },
      { what: 'whose events are a list', claims: { events: [invented.word()] } },
      { what: 'whose iat is text', claims: { iat: 'now' } },
      { what: 'that is empty', text: () => '' },
      { what: 'that is no token', text: () => invented.word() },
      { what: 'that is JSON', text: () => '{"events":{}}' },
    ),
    // RFC 8417 §2.3 recommends explicit typing; the wire contract requires it.
    ...of(
      'type',
      ['invalid_request'],
      { what: 'with typ JWT', header: { typ: 'JWT' } },
      { what: 'without typ', header: { typ: undefined } },
      { what: 'with the typ of an ID-JAG', header: { typ: 'oauth-id-jag+jwt' } },
    ),
  ];
}

const isTaken = (reply: Reply): boolean => !(reply instanceof NoAnswer) && reply.ok;

export const eventRefusals = serviceScenario({
  id: 'event-refusals',
  title: 'Events that are not authentic, not meant for this service or malformed are refused',
  checks: {
    unauthentic: 'An event that its issuer did not sign is refused.',
    'unknown-issuer': 'An event of an issuer without trust is refused.',
    'not-for-us': 'An event for another audience is refused.',
    'ill-formed':
      'A malformed event is refused: no JWT, or a required claim missing or of the wrong type.',
    type: 'An event with another typ, or none, is refused.',
    'no-effect': 'A refused event has no effect.',
    status: 'A refused event is answered 400.',
    body: 'The body of a refusal is JSON with err and description.',
    language: 'Content-Language names the language of the description.',
    registered: `err is one of ${REGISTERED.join(', ')}.`,
    codes: 'err says what is wrong.',
    unfetched: 'Nothing is fetched from an issuer without trust.',
  },
  costly: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustAcceptEvents(world);
    await expectNoFetch(judge, 'unfetched', world.providers.untrusted, async () => {
      for (const wrong of wrongEvents(world)) {
        // One of its own for each: what an accepted event ends is not held against the next one.
        const victim = await registerActive(world);
        const set = world.revokedEvent(victim.subject, wrong, wrong.by);
        const reply = await deliverRaw(world, wrong.text?.(set) ?? set);
        const what = `an event ${wrong.what}`;
        if (!expectEventRefused(judge, wrong.check, reply, what) && isTaken(reply)) continue;
        if (!(reply instanceof NoAnswer) && reply.refused) judgeBody(reply, wrong);
        await expectActive(judge, 'no-effect', world, victim, `${what}, which was refused`);
      }
    });
    judge.skip('no-effect', 'No event was refused.');

    function judgeBody(answer: Answer, { codes, what }: WrongEvent): void {
      const err = answer.string('err');
      const isWhole = err !== undefined && answer.string('description') !== undefined;
      judge.table(answer, {
        status: status(400),
        body: { ok: isWhole && answer.mediaType === 'application/json' },
        language: header('Content-Language', (language) => Boolean(language)),
      });
      if (err === undefined) return;
      judge.table(answer, {
        registered: member('err', is(...REGISTERED)),
        codes: { ok: codes.includes(err), case: what, expected: codes.join(' or ') },
      });
    }
  },
});

export const eventIssuerBounds = serviceScenario({
  id: 'event-issuer-bounds',
  title: 'No provider ends the registrations of another',
  checks: {
    'own-subjects': "A provider's event about a subject of another provider ends nothing.",
    'foreign-sub-id': 'An event whose sub_id names another issuer ends nothing.',
    'foreign-key':
      "An event in a provider's name that another signed is refused, and ends nothing.",
  },
  blockedBy: ['event-revocation.assertion-ended'],
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustEndByEvents(world);
    const { provider, other } = world.providers;
    const sendAsOther = (subject: string, options: MintOptions) =>
      deliverRaw(world, world.revokedEvent(subject, options, other));
    const first = await registerActive(world);
    await sendAsOther(first.subject, {});
    await expectActive(judge, 'own-subjects', world, first, "another provider's event");

    // Its own subject alone, of whatever issuer, is judged before.
    for (const sub of [undefined, world.freshSubject().subject]) {
      const second = await registerActive(world);
      const subId = { format: 'iss_sub', iss: provider.issuer, sub: second.subject };
      await sendAsOther(second.subject, { claims: { sub, sub_id: subId } });
      const what = 'an event of another provider that names it in sub_id';
      await expectActive(judge, 'foreign-sub-id', world, second, what);
    }

    const third = await registerActive(world);
    const right = openJwt(world.revokedEvent(third.subject));
    if (right === undefined) throw new TypeError('The provider minted no JWT.');
    for (const { kid } of [other.keys[0], provider.keys[0]]) {
      const set = forgeJwt({ ...right.header, kid }, right.claims, other.keys[0]);
      const reply = await deliverRaw(world, set);
      if (!expectEventRefused(judge, 'foreign-key', reply) && isTaken(reply)) return;
    }
    await expectActive(judge, 'foreign-key', world, third, 'a forged event');
  },
});

export const eventKeysUnreachable = serviceScenario({
  id: 'event-keys-unreachable',
  title: 'An event whose keys cannot be fetched now is neither believed nor discarded',
  checks: {
    'not-believed': 'Without the keys of its issuer no event is accepted.',
    'try-later':
      'Without the keys the answer is 503 with Retry-After, so that the provider tries again.',
    'taken-later': 'The event is accepted once the keys can be fetched.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { provider } = world.providers;
    await mustAcceptEvents(world);
    world.needFetches(provider);
    const unfetched = makeKey();
    const { subject } = world.freshSubject();
    const set = world.revokedEvent(subject, { key: unfetched });
    let isRefused = true;
    await judgePart(judge, 'try-later', async () => {
      const answer = await untilFetched(world, provider, async () => {
        const unbelieved = await withoutKeys(provider, () => deliver(world, set));
        isRefused = judge.expect('not-believed', !unbelieved.ok, unbelieved) && isRefused;
        return unbelieved;
      });
      const isLater = answer.status === 503 && answer.header('retry-after') !== undefined;
      judge.table(answer, { 'try-later': { ok: isLater } });
    });
    if (!isRefused) return judge.skip('taken-later', 'It was taken without its keys.');
    world.publish(provider, [unfetched.jwk]);
    const again = () => deliver(world, set);
    const isTaken = (answer: Answer) => acknowledged(answer).ok;
    const taken = await world.time.askUntil(10 * MINUTE, again, isTaken);
    judge.table(taken, { 'taken-later': acknowledged });
  },
});
