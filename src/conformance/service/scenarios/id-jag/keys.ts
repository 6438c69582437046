import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { smallRsaKey } from '../../steps/jwt-attacks.ts';
import {
  expectRefused,
  isTaken,
  KEY_SET_PATIENCE,
  mustBeTaken,
  NO_OTHER,
  present,
  presentNew,
  publish,
  trustsOther,
} from '../../steps/present-id-jag.ts';

export const idJagKeys = serviceScenario({
  id: 'id-jag-keys',
  title: 'A key serves only for what its issuer published it for',
  checks: {
    'cross-issuer': 'No token of one issuer is verified with a key of another.',
    'same-kid': 'A kid that two issuers use means the key of the one that is named.',
    use: 'A key for encryption verifies nothing.',
    'key-ops': 'A key whose key_ops leave out verify verifies nothing.',
    'key-algorithm': 'A key that is published for one algorithm verifies no other.',
    'key-type': 'A key of one type or curve verifies no algorithm of another.',
    'small-rsa': 'An RSA key below 2048 bits verifies nothing.',
    'unreadable-skipped': 'Keys that nobody can read are skipped, not the set that they are in.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeTaken(world);
    const { provider, other } = world.providers;
    const [encrypting, signing, small] = [makeKey(), makeKey(), smallRsaKey()];
    const misnamed = makeKey('EdDSA');
    const shared = makeKey();
    const { use: _use, ...withoutUse } = signing.jwk;
    const unreadable = [
      { kty: world.invented.capitals(), kid: world.invented.word() },
      { kty: 'EC', crv: 'P-256', kid: world.invented.word() },
      { kty: 'RSA', e: 'AQAB', kid: world.invented.word() },
    ];
    await publish(
      world,
      [
        { ...encrypting.jwk, use: 'enc' },
        { ...withoutUse, key_ops: ['encrypt'] },
        { ...shared.jwk, alg: 'ES384' },
        misnamed.jwk,
        small.jwk,
      ],
      makeKey(),
    );
    const refused = async (
      name: 'use' | 'key-ops' | 'key-algorithm' | 'key-type' | 'small-rsa',
      what: string,
      options: Parameters<typeof presentNew>[1],
    ) => {
      const { answer } = await presentNew(world, options);
      expectRefused(judge, name, { what: `An ID-JAG ${what}` }, answer);
    };
    await refused('use', 'signed with a key whose use is enc', { key: encrypting });
    await refused('key-ops', 'signed with a key whose key_ops is encrypt', { key: signing });
    await refused('key-algorithm', 'signed with ES256 by a key for ES384', { key: shared });
    await refused('key-type', 'with alg EdDSA and the kid of an ES256 key', {
      header: { kid: provider.keys[0].kid },
      key: misnamed,
    });
    await refused('key-type', 'with alg ES256 and an EdDSA signature', {
      header: { alg: 'ES256' },
      key: misnamed,
    });
    await refused('small-rsa', 'signed with an RSA key of 1024 bits', { key: small });

    const fresh = makeKey();
    provider.published = [...unreadable, fresh.jwk, provider.keys[0].jwk];
    const fetched = provider.hits.length;
    await world.time.pass(KEY_SET_PATIENCE);
    let still = await presentNew(world, { key: fresh });
    // Some fetch a set after they have answered.
    if (!isTaken(still.answer)) still = await presentNew(world, { key: fresh });
    if (provider.hits.length === fetched) {
      judge.untestable('unreadable-skipped', 'The key set was not fetched within ten minutes.');
    } else {
      judge.expect('unreadable-skipped', isTaken(still.answer), still.answer);
    }
    provider.restore();

    if (!(await trustsOther(world))) {
      judge.skip(['cross-issuer', 'same-kid'], NO_OTHER);
      return;
    }
    const crossed = world.idJag(world.freshSubject(), { key: other.keys[0] });
    const crossing = { what: 'An ID-JAG signed with a key of another trusted issuer' };
    expectRefused(judge, 'cross-issuer', crossing, await present(world, crossed));
    const named = world.idJag(world.freshSubject(), {
      key: other.keys[0],
      header: { kid: provider.keys[0].kid },
    });
    expectRefused(judge, 'cross-issuer', crossing, await present(world, named));

    const twin = makeKey();
    const kid = provider.keys[0].kid;
    await publish(world, [{ ...twin.jwk, kid }], makeKey(), other);
    const theirs = { key: twin, header: { kid } };
    const own = await presentNew(world, theirs, other);
    judge.expect('same-kid', isTaken(own.answer), own.answer);
    const stolen = await presentNew(world, theirs);
    const what = 'An ID-JAG signed with the key that another issuer has under the same kid';
    expectRefused(judge, 'same-kid', { what }, stolen.answer);
    const ours = await presentNew(world);
    judge.expect('same-kid', isTaken(ours.answer), ours.answer);
  },
});

const FLOOD = 80;
/** One after another: a service that only shares the fetch under way is led by these. */
const SERIES = 20;
/** What a service may fetch for a flood of unknown kids before it counts as led by it. */
const FEW = 5;

export const idJagKeyRotation = serviceScenario({
  id: 'id-jag-key-rotation',
  title: 'A key set is fetched when it is needed, and not at the pace of strangers',
  checks: {
    'new-key': 'A new key of the provider is taken up.',
    'old-key': 'A key that its provider took back verifies nothing after a while.',
    flood: 'Unknown kids do not each lead to a fetch.',
    'few-fetches': 'A flood of unknown kids leads to five fetches at most.',
    unreachable: 'Without the keys of its issuer no ID-JAG is taken.',
    'try-later': 'Without the keys the answer is 503 with Retry-After.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider } = world.providers;
    await mustBeTaken(world);
    const next = makeKey();
    provider.published = [...provider.published, next.jwk];
    let first = await presentNew(world, { key: next });
    if (!isTaken(first.answer)) {
      await world.time.pass(KEY_SET_PATIENCE);
      first = await presentNew(world, { key: next });
    }
    judge.expect('new-key', isTaken(first.answer), first.answer);

    const before = provider.hits.length;
    await Promise.all(
      Array.from({ length: FLOOD }, () =>
        presentNew(world, { header: { kid: provider.unique('kid') } }),
      ),
    );
    judgeFetches(provider.hits.length - before, FLOOD, 'at once');
    const begun = provider.hits.length;
    for (let sent = 0; sent < SERIES; sent += 1) {
      await presentNew(world, { header: { kid: provider.unique('kid') } });
    }
    judgeFetches(provider.hits.length - begun, SERIES, 'one after another');

    provider.restore();
    await world.time.pass(2 * 3_600_000);
    await mustBeTaken(world);
    const withdrawn = await presentNew(world, { key: next });
    const what = 'An ID-JAG under a key that its provider took back two hours ago';
    expectRefused(judge, 'old-key', { what }, withdrawn.answer);

    await world.time.pass(2 * 3_600_000);
    provider.down = true;
    const unheard = makeKey();
    provider.published = [...provider.published, unheard.jwk];
    const { answer } = await presentNew(world, { key: unheard });
    judge.expect('unreachable', !isTaken(answer), answer);
    judge.expect(
      'try-later',
      answer.status === 503 && answer.header('retry-after') !== undefined,
      answer,
    );

    function judgeFetches(fetches: number, sent: number, how: string): void {
      const seen = `${fetches} fetches for ${sent} ID-JAGs with unknown kids, ${how}.`;
      judge.expect('flood', fetches < sent / 2, seen);
      judge.expect('few-fetches', fetches <= FEW, seen, { expected: `at most ${FEW} fetches` });
    }
  },
});
