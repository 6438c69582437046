import { HOUR } from '../../../../protocol/index.ts';
import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import {
  accepted,
  expectEachRefused,
  expectIdJagRefused,
  isAccepted,
  isRegistered,
  mustBeAccepted,
  NO_OTHER,
  presentNew,
  trustsOther,
} from '../../steps/present-id-jag.ts';
import { KEY_SET_PATIENCE, publishKeys } from '../../steps/publish-keys.ts';

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
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const { provider, other } = world.providers;
    const { kid } = provider.keys[0];
    await judgeUnfitKeys();
    await judgeUnreadableKeys();
    world.restore();
    if (!(await trustsOther(world))) {
      judge.skip(['cross-issuer', 'same-kid'], NO_OTHER);
      return;
    }
    const [foreign] = other.keys;
    await expectEachRefused(judge, world, [
      ['cross-issuer', 'signed with a key of another trusted issuer', { key: foreign }],
      [
        'cross-issuer',
        "signed with another trusted issuer's key, under this issuer's kid",
        { key: foreign, header: { kid } },
      ],
    ]);
    await judgeSharedKid();

    async function judgeUnfitKeys(): Promise<void> {
      const [encrypting, signing, shared] = [makeKey(), makeKey(), makeKey()];
      const [small, misnamed] = [makeKey('RS256', 1024), makeKey('EdDSA')];
      const { use: _use, ...withoutUse } = signing.jwk;
      const published = [
        { ...encrypting.jwk, use: 'enc' },
        { ...withoutUse, key_ops: ['encrypt'] },
        { ...shared.jwk, alg: 'ES384' },
        misnamed.jwk,
        small.jwk,
      ];
      await publishKeys(world, published, makeKey());
      await expectEachRefused(judge, world, [
        ['use', 'signed with a key whose use is enc', { key: encrypting }],
        ['key-ops', 'signed with a key whose key_ops is encrypt', { key: signing }],
        ['key-algorithm', 'signed with ES256 by a key for ES384', { key: shared }],
        ['key-type', 'EdDSA with the kid of an ES256 key', { header: { kid }, key: misnamed }],
        ['key-type', 'alg ES256, signed EdDSA', { header: { alg: 'ES256' }, key: misnamed }],
        ['small-rsa', 'signed with an RSA key of 1024 bits', { key: small }],
      ]);
    }

    async function judgeUnreadableKeys(): Promise<void> {
      const fresh = makeKey();
      world.restore();
      const unreadable = [
        { kty: world.invented.capitals(), kid: world.invented.word() },
        { kty: 'EC', crv: 'P-256', kid: world.invented.word() },
        { kty: 'RSA', e: 'AQAB', kid: world.invented.word() },
      ];
      world.publish(provider, [...unreadable, fresh.jwk], 'first');
      const fetched = provider.hits.length;
      await world.time.pass(KEY_SET_PATIENCE);
      let { answer } = await presentNew(world, { key: fresh });
      // Some fetch a set after they have answered.
      if (!isRegistered(answer)) answer = (await presentNew(world, { key: fresh })).answer;
      if (provider.hits.length === fetched) {
        judge.untestable('unreadable-skipped', 'The key set was not fetched within ten minutes.');
      } else {
        judge.table(answer, { 'unreadable-skipped': accepted });
      }
    }

    async function judgeSharedKid(): Promise<void> {
      const twin = makeKey();
      await publishKeys(world, [{ ...twin.jwk, kid }], makeKey(), other);
      const theirs = { key: twin, header: { kid } };
      const own = await presentNew(world, theirs, other);
      judge.table(own.answer, { 'same-kid': accepted }, { case: "the other issuer's key" });
      const stolen = await presentNew(world, theirs);
      expectIdJagRefused(
        judge,
        'same-kid',
        stolen.answer,
        "the other issuer's key for this issuer",
      );
      const ours = await presentNew(world);
      judge.table(ours.answer, { 'same-kid': accepted }, { case: "this issuer's key" });
    }
  },
});

const FLOOD = 80;
/** One after another: these also reach a service that only shares the fetch under way. */
const SERIES = 20;
/** What a service may fetch for a flood of unknown kids. */
const FEW = 5;

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
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider } = world.providers;
    await mustBeAccepted(world);
    const next = makeKey();
    world.publish(provider, [next.jwk]);
    let first = await presentNew(world, { key: next });
    if (!isRegistered(first.answer)) {
      await world.time.pass(KEY_SET_PATIENCE);
      first = await presentNew(world, { key: next });
    }
    judge.table(first.answer, { 'new-key': accepted });

    const presentUnknownKid = () => presentNew(world, { header: { kid: provider.unique('kid') } });
    await judgeFetches(FLOOD, 'at the same time', () =>
      Promise.all(Array.from({ length: FLOOD }, presentUnknownKid)),
    );
    await judgeFetches(SERIES, 'one after another', async () => {
      for (let sent = 0; sent < SERIES; sent += 1) await presentUnknownKid();
    });

    world.restore();
    await world.time.pass(2 * HOUR);
    await mustBeAccepted(world);
    const withdrawn = await presentNew(world, { key: next });
    expectIdJagRefused(judge, 'old-key', withdrawn.answer);

    await world.time.pass(2 * HOUR);
    provider.down = true;
    const unfetched = makeKey();
    world.publish(provider, [unfetched.jwk]);
    const { answer } = await presentNew(world, { key: unfetched });
    judge.table(answer, {
      unreachable: { ok: !isAccepted(answer) },
      'try-later': { ok: answer.status === 503 && answer.header('retry-after') !== undefined },
    });

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
