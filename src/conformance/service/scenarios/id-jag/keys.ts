import { HOUR } from '../../../../protocol/index.ts';
import { judgePart } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { makeKey, type TestKey } from '../../../jwt/forge.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import * as idJags from '../../steps/present-id-jag.ts';
import {
  KEY_SET_PATIENCE,
  keyFetches,
  untilFetched,
  untilTaken,
  withoutKeys,
} from '../../steps/publish-keys.ts';
import type { TestProvider } from '../../test-provider.ts';

export const idJagKeys = serviceScenario({
  id: 'id-jag-keys',
  title: 'A key verifies only what its issuer published it for',
  checks: {
    'cross-issuer': 'No token of one issuer is verified with a key of another.',
    'same-kid': "Where two issuers use one kid, the token's own issuer decides which key it is.",
    use: 'A key whose use is enc verifies nothing.',
    'key-ops': 'A key whose key_ops leave out verify verifies nothing.',
    'key-algorithm': 'A key that is published for one algorithm verifies no other.',
    'key-type': 'A key of one type or curve verifies no algorithm of another.',
    'small-rsa': 'An RSA key below 2048 bits verifies nothing.',
    'unreadable-skipped': 'Unreadable keys are skipped, and the rest of their set is used.',
  },
  costly: true,
  // While it waits, the sets of both providers are not fit for others.
  alone: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider, other } = world.providers;
    // Before the first ID-JAG: what is fetched for it need not be waited for.
    const fetched = keyFetches(provider);
    const unreadable = publishUnreadable();
    const odd = publishOdd(other);
    await judgePart(judge, 'unreadable-skipped', judgeUnreadable);
    unreadable.withdraw();
    if (await idJags.trustsOther(world)) {
      await judgeUnfitKeys(other, odd);
      await judgeCrossIssuer();
      await judgeSharedKid(odd.twin);
      return;
    }
    judge.skip(['cross-issuer', 'same-kid'], idJags.NO_OTHER);
    await judgeUnfitKeys(provider, publishOdd(provider));

    function publishUnreadable(): { readonly key: TestKey; readonly withdraw: () => void } {
      const key = makeKey();
      const unreadable = [
        { kty: world.invented.capitals(), kid: world.invented.word() },
        { kty: 'EC', crv: 'P-256', kid: world.invented.word() },
        { kty: 'RSA', e: 'AQAB', kid: world.invented.word() },
      ];
      return { key, withdraw: world.publish(provider, [...unreadable, key.jwk], 'first') };
    }

    /** Keys that are not for ID-JAGs, and one with the kid of the first provider. */
    function publishOdd(issuer: TestProvider): OddKeys {
      const [encrypting, signing, shared] = [makeKey(), makeKey(), makeKey()];
      const [small, misnamed, twin] = [makeKey('RS256', 1024), makeKey('EdDSA'), makeKey()];
      const fresh = makeKey();
      const { use: _use, ...withoutUse } = signing.jwk;
      world.publish(issuer, [
        { ...encrypting.jwk, use: 'enc' },
        { ...withoutUse, key_ops: ['encrypt'] },
        { ...shared.jwk, alg: 'ES384' },
        misnamed.jwk,
        small.jwk,
        fresh.jwk,
        ...(issuer === other ? [{ ...twin.jwk, kid: provider.keys[0].kid }] : []),
      ]);
      return { encrypting, signing, shared, small, misnamed, twin, fresh };
    }

    async function judgeUnreadable(): Promise<void> {
      const fresh = freshKey(world, unreadable.key, fetched);
      const first = await fresh.ask();
      if (!idJags.isRegistered(first) && !(await isKnownTaken())) return judgeWithout(first);
      const answer = await world.time.askUntil(KEY_SET_PATIENCE, fresh.ask, fresh.isShown);
      if (fresh.isShown(answer)) judge.table(answer, { 'unreadable-skipped': idJags.accepted });
      else
        judge.untestable('unreadable-skipped', 'The key set was not fetched within ten minutes.');
    }

    async function isKnownTaken(): Promise<boolean> {
      return idJags.isRegistered((await idJags.presentNew(world)).answer);
    }

    /** Judges a set of which not even the known key is taken: is that for the keys beside it? */
    async function judgeWithout(answer: Answer): Promise<void> {
      unreadable.withdraw();
      const isTaken =
        keyFetches(provider) > fetched && (await world.time.until(KEY_SET_PATIENCE, isKnownTaken));
      if (isTaken) judge.table(answer, { 'unreadable-skipped': idJags.accepted });
      else await idJags.mustBeAccepted(world);
    }

    async function judgeUnfitKeys(issuer: TestProvider, keys: OddKeys): Promise<void> {
      const { encrypting, misnamed, shared, signing, small } = keys;
      const { kid } = issuer.keys[0];
      await untilTaken(world, keys.fresh, issuer);
      await idJags.expectEachRefused(
        judge,
        world,
        [
          ['use', 'signed with a key whose use is enc', { key: encrypting }],
          ['key-ops', 'signed with a key whose key_ops is encrypt', { key: signing }],
          ['key-algorithm', 'signed with ES256 by a key for ES384', { key: shared }],
          ['key-type', 'EdDSA with the kid of an ES256 key', { header: { kid }, key: misnamed }],
          ['key-type', 'alg ES256, signed EdDSA', { header: { alg: 'ES256' }, key: misnamed }],
          ['small-rsa', 'signed with an RSA key of 1024 bits', { key: small }],
        ],
        issuer,
      );
    }

    async function judgeCrossIssuer(): Promise<void> {
      const [foreign] = other.keys;
      const { kid } = provider.keys[0];
      await idJags.expectEachRefused(judge, world, [
        ['cross-issuer', 'signed with a key of another trusted issuer', { key: foreign }],
        [
          'cross-issuer',
          "signed with another trusted issuer's key, under this issuer's kid",
          { key: foreign, header: { kid } },
        ],
      ]);
    }

    async function judgeSharedKid(twin: TestKey): Promise<void> {
      const theirs = { key: twin, header: { kid: provider.keys[0].kid } };
      const own = await idJags.presentNew(world, theirs, other);
      judge.table(own.answer, { 'same-kid': idJags.accepted }, { case: "the other issuer's key" });
      const stolen = await idJags.presentNew(world, theirs);
      const what = "the other issuer's key for this issuer";
      idJags.expectIdJagRefused(judge, 'same-kid', stolen.answer, what);
      const ours = await idJags.presentNew(world);
      judge.table(ours.answer, { 'same-kid': idJags.accepted }, { case: "this issuer's key" });
    }
  },
});

/** ID-JAGs under a key that is new to the service, which had fetched the set so often before. */
function freshKey(world: ServiceWorld, key: TestKey, fetched: number) {
  let isFetched = false;
  return {
    ask: async () => {
      // Some fetch a set after they have answered.
      isFetched = keyFetches(world.providers.provider) > fetched;
      return (await idJags.presentNew(world, { key })).answer;
    },
    isFetched: () => isFetched,
    isShown: (answer: Answer) => isFetched || idJags.isRegistered(answer),
  };
}

interface OddKeys {
  readonly encrypting: TestKey;
  readonly signing: TestKey;
  readonly shared: TestKey;
  readonly small: TestKey;
  readonly misnamed: TestKey;
  readonly twin: TestKey;
  /** A key that is fit, by which the set is seen to be known. */
  readonly fresh: TestKey;
}

const FLOOD = 80;
/** How many unknown kids follow one another: these also reach a service that only shares the fetch under way. */
const SERIES = 20;
/** What a service may fetch for a flood of unknown kids. */
const FEW = 5;
const HAS_KEY = {
  expected: 'An ID-JAG is taken whose key is in the set that the service has fetched.',
};
const UNFETCHED = { reading: 'No standard says how soon a key set is fetched again.' };

export const idJagKeyRotation = serviceScenario({
  id: 'id-jag-key-rotation',
  title: 'A key set is fetched when it is needed, and not as often as strangers want',
  checks: {
    'new-key': 'A new key of the provider is accepted.',
    'old-key': 'A key that its provider withdrew two hours ago verifies nothing.',
    flood: 'Unknown kids do not each lead to a fetch.',
    'few-fetches': 'A flood of unknown kids leads to five fetches at most.',
    unreachable: 'Without the keys of its issuer no ID-JAG is accepted.',
    'try-later': 'Without the keys the answer is 503 with Retry-After.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider } = world.providers;
    await idJags.mustBeAccepted(world);
    const next = makeKey();
    const fetched = keyFetches(provider);
    const withdraw = world.publish(provider, [next.jwk]);
    await judgePart(judge, 'new-key', async () => {
      const { time } = world;
      const { ask, isFetched, isShown } = freshKey(world, next, fetched);
      let answer = await time.askUntil(KEY_SET_PATIENCE, ask, isShown);
      // Whoever has the set may still pause between looks at it, for as long as there is patience.
      if (!idJags.isRegistered(answer) && isFetched()) {
        answer = await time.askUntil(time.most(KEY_SET_PATIENCE), ask, idJags.isRegistered);
      }
      judge.table(answer, { 'new-key': idJags.accepted }, isFetched() ? HAS_KEY : UNFETCHED);
    });

    const presentUnknownKid = () =>
      idJags.presentNew(world, { header: { kid: provider.unique('kid') } });
    await judgeFetches(FLOOD, 'at the same time', () =>
      Promise.all(Array.from({ length: FLOOD }, presentUnknownKid)),
    );
    await judgeFetches(SERIES, 'one after another', async () => {
      for (let sent = 0; sent < SERIES; sent += 1) await presentUnknownKid();
    });

    withdraw();
    const withdrawn = world.time.now();
    await judgePart(judge, ['unreachable', 'try-later'], judgeUnreachable);
    await judgePart(judge, 'old-key', judgeOldKey);

    async function judgeOldKey(): Promise<void> {
      const ask = async () => {
        // Some look at the key set again when something right arrives.
        await idJags.mustBeAccepted(world);
        return (await idJags.presentNew(world, { key: next })).answer;
      };
      const isRefused = (answer: Answer) => !idJags.isAccepted(answer);
      const old = await world.time.askUntil(2 * HOUR, ask, isRefused, withdrawn);
      idJags.expectIdJagRefused(judge, 'old-key', old);
    }

    async function judgeUnreachable(): Promise<void> {
      const unfetched = makeKey();
      const ask = () => idJags.presentNew(world, { key: unfetched });
      const answer = await untilFetched(world, provider, async () => {
        const presented = await withoutKeys(provider, ask);
        judge.expect('unreachable', !idJags.isAccepted(presented.answer), presented.answer);
        return presented.answer;
      });
      const isLater = answer.status === 503 && answer.header('retry-after') !== undefined;
      judge.table(answer, { 'try-later': { ok: isLater } });
    }

    async function judgeFetches(
      sent: number,
      how: string,
      send: () => Promise<unknown>,
    ): Promise<void> {
      const before = provider.hits.length;
      await send();
      const fetches = provider.hits.length - before;
      const seen = `${fetches} fetches for ${sent} ID-JAGs with unknown kids, ${how}.`;
      judge.expect('flood', fetches < sent / 2, seen);
      judge.expect('few-fetches', fetches <= FEW, seen);
    }
  },
});
