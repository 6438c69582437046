import { MINUTE } from '../../../protocol/index.ts';
import {
  CannotTest,
  type FindingDetails,
  type Judge,
  judgePart,
  shown,
} from '../../engine/judge.ts';
import { errorCode, noStore } from '../../engine/rows.ts';
import type { Answer } from '../../http/answer.ts';
import { openJwt } from '../../jwt/open.ts';
import type { Visitor } from '../../pages/visitor.ts';
import { asksForCode } from '../../user/form-fields.ts';
import { decisionValues } from '../../user/form-user.ts';
import type { DeviceCode } from '../device-code.ts';
import { type ProviderWorld, providerScenario } from '../provider-world.ts';
import { FormProviderUser, signedInAt } from '../sign-in.ts';
import { hasToken, isRedeemable, opensUserInfo } from '../steps/device-codes.ts';
import { validNow } from '../steps/id-jag-claims.ts';
import { signedBy } from '../steps/rows.ts';

const SHOWN_ALONE =
  'RFC 8628 §3.2 shows the header and does not ask for it; RFC 6749 §5.1 asks for it with tokens.';

export const deviceSignIn = providerScenario({
  id: 'device-sign-in',
  title: 'A user signs in by device authorization',
  checks: {
    started:
      'A device authorization is answered 200 with both codes, a verification_uri and a positive expires_in.',
    uncached: 'Answers with codes and tokens have Cache-Control: no-store.',
    pending: 'A poll before the user has acted is answered authorization_pending.',
    'slow-down': 'A poll within the interval is answered slow_down.',
    'signed-in': 'After approval a poll is answered 200 with an ID token.',
    'id-token-audience':
      "The ID token has the provider's iss, the client id as aud, and sub, iat and exp, and is valid now.",
    'id-token-signature': 'The ID token is signed by a key of the published key set.',
  },
  async run(judge, world) {
    const email = world.email();
    const started = await world.startSignIn();
    const isPositive = (name: string) => Number(started.answer.member(name)) > 0;
    const hasInterval = started.answer.member('interval') !== undefined;
    const isStarted =
      started.answer.status === 200 &&
      isPositive('expires_in') &&
      (!hasInterval || isPositive('interval'));
    judge.table(started.answer, { started: { ok: isStarted } });
    judge.table(started.answer, { uncached: noStore }, { reading: SHOWN_ALONE });
    const early = await world.client.poll(started.deviceCode);
    judge.table(early, { pending: errorCode('authorization_pending') });
    const fast = await world.client.poll(started.deviceCode);
    judge.table(fast, { 'slow-down': errorCode('slow_down') });
    const answer = await world.approve({ ...started, interval: started.interval + 5 }, email);
    const idToken = answer.string('id_token');
    const signedIn = answer.status === 200 && idToken !== undefined;
    if (!judge.expect('signed-in', signedIn, answer) || idToken === undefined) {
      throw new CannotTest('The provider issued no ID token.');
    }
    judge.table(answer, { uncached: noStore });
    const opened = openJwt(idToken);
    const { aud, exp, iat, iss, sub } = opened?.claims ?? {};
    const { clientId } = world.client;
    const isForAgent =
      iss === world.facts.issuer &&
      [aud].flat().includes(clientId) &&
      typeof sub === 'string' &&
      typeof exp === 'number' &&
      typeof iat === 'number';
    judge.table(answer, {
      'id-token-audience': {
        ok: isForAgent,
        seen: shown({ iss, aud, sub, iat, exp }),
        expected: `iss: ${world.facts.issuer}, aud: ${clientId}, with sub, iat and exp`,
      },
    });
    if (opened === undefined) return;
    const { exchange } = answer;
    const times = validNow(world.time.now());
    judge.table(opened.claims, { 'id-token-audience': times }, { exchange });
    judge.table(answer, { 'id-token-signature': signedBy(opened, await world.keySet()) });
  },
});

const LATER_POLLS = 2;

export const deviceDenied = providerScenario({
  id: 'device-denied',
  title: 'A user denies a device authorization',
  checks: {
    'no-token': 'After a denial no poll is answered with a token.',
    code: 'After a denial a poll is answered access_denied.',
    stays:
      'A code that was denied stays so: no later poll is pending again or answered with a token.',
  },
  resting: { 'device-denied.no-token': ['stays'], 'device-denied.code': ['stays'] },
  async run(judge, world) {
    const email = world.email();
    // Without a sign-in that works, there is nothing that a denial could keep from the agent.
    await world.signInByDevice(email);
    const started = await world.startSignIn();
    const { userCode, verificationUri } = started;
    await world.user.signIn({ verificationUri, userCode, email, decision: 'deny' });
    const answer = await world.collect(started);
    const given = answer.string('id_token') ?? answer.string('access_token');
    judge.table(answer, {
      'no-token': { ok: given === undefined },
      code: errorCode('access_denied'),
    });
    for (let poll = 1; poll <= LATER_POLLS; poll += 1) {
      const later = await world.client.poll(started.deviceCode);
      const isOver = !hasToken(later) && later.errorCode !== 'authorization_pending';
      judge.expect('stays', isOver, later);
    }
  },
});

export const deviceExpired = providerScenario({
  id: 'device-expired',
  title: 'A device code expires',
  checks: {
    expired: 'After expires_in a poll is answered expired_token.',
    late: 'An approval after expires_in signs no agent in.',
  },
  resting: { 'device-expired.expired': ['late'] },
  async run(judge, world) {
    const started = await world.startSignIn();
    const { deviceCode, expiresIn = 600 } = started;
    await world.time.pass((expiresIn + 1) * 1000);
    const answer = await world.client.poll(deviceCode);
    judge.table(answer, { expired: errorCode('expired_token') });
    await judgePart(judge, 'late', async () => {
      const { userCode, verificationUri } = started;
      const email = world.email();
      await world.user.signIn({ verificationUri, userCode, email, decision: 'approve' });
      const late = await world.client.poll(deviceCode);
      judge.expect('late', !hasToken(late), late);
    });
  },
});

const PARALLEL = 8;
/** A lost answer has been fetched again by then. Milliseconds. */
const LATER = 5 * MINUTE;
/** RFC 8628 §5.1 reckons with five. */
const GUESSES = 30;
/** The bits with which no code is guessed, however often one tries. */
const UNGUESSABLE = 60;

export const deviceCodes = providerScenario({
  id: 'device-codes',
  title: 'A device code is redeemed again, and a user code is guessed',
  checks: {
    parallel: 'Polls at the same time sign one agent in, not several.',
    'used-twice': 'A device code that was redeemed signs no second agent in.',
    'whole-code': 'Nothing but the whole user code is accepted, not the first half of one.',
    'guess-limit': 'After a few wrong user codes no other is accepted, not even a right one.',
  },
  resting: { 'device-codes.parallel': ['used-twice'] },
  costly: true,
  blockedBy: ['device-sign-in.signed-in'],
  async run(judge, world) {
    await judgePart(judge, ['parallel', 'used-twice'], () => judgeRedeeming(judge, world));
    await judgePart(judge, 'whole-code', () => judgeHalves(judge, world));
    await judgePart(judge, 'guess-limit', () => judgeGuessing(judge, world));
  },
});

async function judgeRedeeming(
  judge: Judge<'parallel' | 'used-twice'>,
  world: ProviderWorld,
): Promise<void> {
  const started = await world.startSignIn();
  const { deviceCode, userCode, verificationUri } = started;
  const email = world.email();
  await world.user.signIn({ verificationUri, userCode, email, decision: 'approve' });
  const polls = Array.from({ length: PARALLEL }, () => world.client.poll(deviceCode));
  const delivered = (await Promise.all(polls)).filter(hasToken);
  const first = delivered[0] ?? (await world.collect(started));
  if (!hasToken(first)) {
    throw new CannotTest(`A poll after the approval was answered ${first.describe()}.`);
  }
  const { exchange } = delivered.at(-1) ?? first;
  const several = await inForce(world, delivered);
  const seen = `${several} sign-ins by ${PARALLEL} polls at the same time`;
  judge.expect('parallel', several <= 1, seen, { exchange });

  const again = await world.collect(started);
  if (hasToken(again)) {
    const both = [delivered.at(-1) ?? first, again];
    const details = { exchange: again.exchange };
    const one = (await inForce(world, both)) <= 1;
    if (!judge.expect('used-twice', one, 'another sign-in, beside the first', details)) return;
  }
  // The answer may have been lost, so that it is given again: for how long, only waiting shows.
  const collect = () => world.collect(started);
  const limit = hasToken(again) ? LATER : 0;
  const late = await world.time.askUntil(limit, collect, (answer) => !hasToken(answer));
  judge.expect('used-twice', !hasToken(late), late);
}

/**
 * How many different sign-ins some answers are. What one of them ended is none any more, as far as the
 * userinfo_endpoint shows it.
 */
async function inForce(world: ProviderWorld, answers: readonly Answer[]): Promise<number> {
  const tokens = new Set(answers.flatMap((answer) => answer.string('access_token') ?? []));
  const { userInfoEndpoint } = world.facts;
  if (tokens.size < 2 || userInfoEndpoint === undefined) {
    const named = (name: string) => new Set(answers.flatMap((answer) => answer.string(name) ?? []));
    return Math.max(tokens.size, named('refresh_token').size, Math.min(1, answers.length));
  }
  let working = 0;
  for (const token of tokens) if (await opensUserInfo(world, token)) working += 1;
  return working;
}

/** Two wrong codes: each right provider lets its users err as often. */
async function judgeHalves(judge: Judge<'whole-code'>, world: ProviderWorld): Promise<void> {
  const email = world.email();
  const started = await world.startSignIn();
  const { userCode } = started;
  const middle = Math.ceil(userCode.length / 2);
  const wrong = [...userCode.slice(middle)]
    .map((own) => [...userCode].find((other) => other !== own && /[A-Za-z0-9]/.test(other)) ?? own)
    .join('');
  for (const [what, typed] of [
    ['the first half alone', userCode.slice(0, middle)],
    ['the first half, and another second one', userCode.slice(0, middle) + wrong],
  ] as const) {
    const half: DeviceCode = { ...started, userCode: typed };
    const visitor = world.visitor({ takes429: true });
    const report = await new FormProviderUser(() => visitor, world.means).signIn({
      ...half,
      email,
      decision: 'approve',
    });
    const { exchange } = report;
    const isTaken = await isRedeemable(world, started);
    judge.expect('whole-code', !isTaken, 'a poll with a token', { case: what, exchange });
  }
}

async function judgeGuessing(judge: Judge<'guess-limit'>, world: ProviderWorld): Promise<void> {
  // Whoever guesses is locked out by a right provider: nobody else may use this account.
  const email = world.freshEmail();
  const started = await world.startSignIn();
  const visitor = world.visitor({ takes429: true });
  for (let guess = 1; guess <= GUESSES; guess += 1) {
    const code = wrongCode(world, started.userCode);
    const answer = await typeCode(world, visitor, started, email, code);
    if (answer === undefined && guess === 1) {
      throw new CannotTest('No form behind the verification_uri asks for the code.');
    }
    if (answer === undefined || answer.status === 429) {
      judge.expect('guess-limit', true, '');
      return;
    }
  }
  const { userCode, verificationUri } = started;
  const right = { verificationUri, userCode, email, decision: 'approve' } as const;
  const report = await new FormProviderUser(() => visitor, world.means).signIn(right);
  const accepted = await isRedeemable(world, started);
  const seen = `a poll with a token, after ${GUESSES} wrong codes and the right one`;
  judge.expect('guess-limit', !accepted, seen, {
    ...strength(started.userCode),
    exchange: report.exchange,
  });
}

/** The answer to a code that was typed; undefined where the account is not asked for one any more. */
async function typeCode(
  { means }: ProviderWorld,
  visitor: Visitor,
  { verificationUri }: DeviceCode,
  email: string,
  userCode: string,
): Promise<Answer | undefined> {
  const page = await signedInAt(visitor, verificationUri, email, means);
  const form = page.forms.find(asksForCode);
  if (form === undefined) return page.answer.status === 429 ? page.answer : undefined;
  const values = decisionValues(form, { userCode, decision: 'approve', email });
  const { answer } = await visitor.submit(page, form, values);
  return answer;
}

/** A wrong code of the same form as the right one, and of its letters. */
function wrongCode(world: ProviderWorld, userCode: string): string {
  const [first = '0', ...others] = userCode.replace(/[^A-Za-z0-9]/g, '');
  const guess = userCode.replace(/[A-Za-z0-9]/g, () => world.invented.pick([first, ...others]));
  return guess === userCode ? [first, ...others].reverse().join('') : guess;
}

/** A code as long as a key needs no limit. */
function strength(userCode: string): FindingDetails {
  const kinds = [/[A-Z]/, /[a-z]/, /\d/];
  const sizes = [26, 26, 10];
  const alphabet = kinds.reduce(
    (sum, kind, at) => sum + (kind.test(userCode) ? (sizes[at] ?? 0) : 0),
    0,
  );
  const bits = userCode.replace(/[^A-Za-z0-9]/g, '').length * Math.log2(Math.max(2, alphabet));
  return bits < UNGUESSABLE
    ? {}
    : { reading: `A user code of ${Math.floor(bits)} bits cannot be guessed (RFC 8628 §5.1).` };
}
