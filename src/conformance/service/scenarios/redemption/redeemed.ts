import { judgePart, NotApplicable } from '../../../engine/judge.ts';
import { member } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { expectNotRedeemed } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-world.ts';
import { granted, isGranted } from '../../steps/answers.ts';
import { NO_OTHER } from '../../steps/present-id-jag.ts';

const TALKATIVE = 'RFC 7662 §2.2 says should not of what else is said of such a token.';

export const redemptionRevocation = serviceScenario({
  id: 'redemption-revocation',
  title: 'What is said of a token by introspection is so',
  checks: {
    active: 'A token that was just given is active, with its client and its resource.',
    authenticated: 'Introspection is refused without credentials.',
    unknown: 'Of a token that nobody was given it says no more than that it is not active.',
    revoked: 'A token that was revoked is not active.',
    closed: 'A token that was revoked opens the resource no more.',
  },
  resting: { 'redemption-revocation.revoked': ['closed'] },
  blockedBy: ['redemption.granted'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const token = await redeemer.mustRedeem();
    const answer = await redeemer.introspect(token);
    const isOf = (name: string, id: string | undefined) =>
      member(
        name,
        (value) =>
          value === undefined || value === id || (Array.isArray(value) && value.includes(id)),
      );
    const { client, resource } = redeemer;
    judge.table(answer, {
      active: [
        member('active', (active) => active === true),
        isOf('client_id', client.id),
        ...(resource === undefined ? [] : [isOf('aud', resource.id)]),
      ],
    });
    const open = await redeemer.introspect(token, null);
    judge.expect('authenticated', open.member('active') !== true, open);
    const unknown = await redeemer.introspect(world.invented.token());
    const members = Object.keys((unknown.json as object | undefined) ?? {});
    judge.expect('unknown', unknown.member('active') === false && members.length === 1, unknown, {
      reading: unknown.member('active') === false ? TALKATIVE : undefined,
    });
    const { revocationEndpoint } = world.facts;
    if (revocationEndpoint === undefined) {
      throw new NotApplicable('The server names no revocation_endpoint.');
    }
    const { form, headers } = redeemer.show(client);
    const sent = { token, ...form };
    const revoked = await world.client.postForm(revocationEndpoint, sent, {
      from: 'agent',
      headers,
    });
    if (!revoked.ok) throw new NotApplicable(`A revocation was refused (${revoked.describe()}).`);
    judge.table(await redeemer.introspect(token), {
      revoked: member('active', (active) => active === false),
    });
    if (resource === undefined) return;
    const called = await redeemer.call(token);
    judge.expect('closed', called.status === 401, called);
  },
});

const PARALLEL = 50;

/** ID-JAG §4.4.3; EMA §7.4.2 has it refused. */
const AGAIN = 'ID-JAG §4.4.3 lets a client send one again until it expires: --reading id-jag.';
const BY_EMAIL =
  'A server may know its users by email, where each provider is trusted with its own domains alone.';

export const redemptionReplay = serviceScenario({
  id: 'redemption-replay',
  title: 'An ID-JAG is redeemed once, for the user of its issuer',
  checks: {
    again: 'An ID-JAG that was redeemed is refused.',
    parallel: 'Of many requests with one ID-JAG at the same time, one succeeds.',
    'per-issuer': 'Two providers may use the same `jti`.',
    'subject-per-issuer': 'The same `sub` of two providers is two users.',
    'email-per-issuer':
      'The email of one user does not make the user of another provider the same.',
  },
  resting: {
    'redemption-replay.again': ['parallel'],
    'redemption-replay.subject-per-issuer': ['email-per-issuer'],
  },
  blockedBy: ['redemption.granted'],
  costly: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { other, provider } = world.providers;
    const isOnce = redeemer.facts.reading === 'ema';
    const reading = isOnce ? undefined : AGAIN;
    await redeemer.unlock();
    const used = redeemer.idJag();
    await redeemer.mustTake(used);
    expectNotRedeemed(judge, 'again', await redeemer.redeem(used), { reading });
    const raced = redeemer.idJag();
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () => redeemer.redeem(raced)),
    );
    const given = answers.filter(isGranted);
    const seen = `${given.length} of ${PARALLEL} requests succeeded.`;
    judge.expect('parallel', given.length === 1, seen, {
      exchange: (given[1] ?? answers[0])?.exchange,
      reading,
    });

    const probe = await redeemer.redeemNew({}, other);
    if (!isGranted(probe)) {
      judge.skip(['per-issuer', 'subject-per-issuer', 'email-per-issuer'], NO_OTHER);
      return;
    }
    const claims = { jti: provider.unique('jag'), ...identity() };
    const first = await redeemer.redeemNew({ claims });
    const second = await redeemer.redeemNew({ claims }, other);
    if (!isGranted(first)) return;
    judge.table(second, { 'per-issuer': granted });
    await judgePart(judge, ['subject-per-issuer', 'email-per-issuer'], async () => {
      const sub = await subjectOf(first);
      const same = await redeemer.redeemNew({ claims: { ...identity(), sub: claims.sub } }, other);
      judge.expect('subject-per-issuer', (await subjectOf(same)) !== sub, `Both are ${sub}.`);
      const byEmail = { ...identity(), email: claims.email };
      const third = await redeemer.redeemNew({ claims: byEmail }, other);
      judge.expect('email-per-issuer', (await subjectOf(third)) !== sub, `Both are ${sub}.`, {
        reading: BY_EMAIL,
      });
    });

    function identity() {
      const { email, subject: sub } = redeemer.subject();
      return { email, sub };
    }

    /** @throws NotApplicable where the server does not tell. */
    async function subjectOf(answer: Answer): Promise<string> {
      const token = world.must(answer, 'access_token', 'a redemption');
      return world.must(await redeemer.introspect(token), 'sub', 'an introspection');
    }
  },
});
