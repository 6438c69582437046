import { refused, status } from '../../../engine/rows.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-world.ts';
import { challengeField, granted, notLimited, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { KeptOut } from '../../steps/controls.ts';
import { decideClaim, tryToClaim } from '../../steps/open-claim.ts';
import { needClaim, pollOpen, pollPatiently } from '../../steps/polls.ts';

const V07 = 'The older of the two documents that call themselves 0.7 starts claims so.';

export const claimStart = serviceScenario({
  id: 'claim-start',
  title: 'Opening a claim with an invalid token or email',
  checks: {
    body: 'A claim is started by claim token and email, as the specification names them.',
    'unknown-refused': 'An unknown claim token opens no attempt.',
    challenge: 'A 401 has WWW-Authenticate with a well-formed challenge.',
    'claimed-refused': 'A claimed registration opens no further attempt.',
  },
  async run(judge, world) {
    needClaim(world);
    const { client } = world;
    const email = world.userEmail();
    // Of another registration: on this one no email is to be on record yet.
    await world.openClaim((await world.anonymous()).claimToken, email);
    const { claimToken } = await world.anonymous();
    const isOwnBody = !client.takesTypedClaims;
    const seen = 'taken as v0.7 has it alone: type, claim_token, login_hint';
    judge.expect('body', isOwnBody, seen, { reading: V07 });
    const start = async (token: string) => notLimited(await client.postClaim(token, email));
    await unknownTokens();
    const claim = await world.openClaim(claimToken, email);
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    judge.table(await start(claimToken), { 'claimed-refused': refused });

    async function unknownTokens(): Promise<void> {
      const tampered = claimToken.slice(0, -4) + (claimToken.endsWith('AAAA') ? 'BBBB' : 'AAAA');
      for (const token of [tampered, world.invented.token(), '']) {
        const answer = await start(token);
        if (!judge.table(answer, { 'unknown-refused': refused })) continue;
        // An empty one may as well count as missing.
        if (token === '') continue;
        if (answer.status !== 401) continue;
        judge.table(answer, {
          challenge: challengeField(
            (field) =>
              answer.header('www-authenticate') !== undefined &&
              readChallenges(field) !== undefined,
          ),
        });
      }
      judge.skip('challenge', 'Nothing was answered 401.');
    }
  },
});

export const reopen = serviceScenario({
  id: 'reopen',
  title: 'A second attempt replaces the first',
  checks: {
    reopened: 'An open attempt can be replaced by a new one.',
    fresh: 'The new attempt has another link.',
    'old-attempt-over': 'Link and code of the replaced attempt complete nothing.',
    'old-code-over': 'The code of the replaced attempt completes nothing at the new link.',
    'old-address-out': 'After a correction the account of the former email cannot claim.',
    'new-attempt-claims': 'The new link and code complete the claim.',
  },
  waits: true,
  async run(judge, world) {
    needClaim(world);
    const { client } = world;
    const kept = new KeptOut(judge);
    const { claimToken } = await world.anonymous();
    const poll = () => pollOpen(world, claimToken);
    const email = world.userEmail();
    const first = await world.openClaim(claimToken, email);
    const early = await ClaimPageSession.open(world, first, email);
    const started = await client.startClaim(claimToken, email);
    judge.table(started, { reopened: status(200) });
    let second = world.mustClaim(started);
    judge.expect('fresh', second.verificationUri !== first.verificationUri, started);

    const typed = shownBy(await early.approve(first.userCode));
    const before = { ...typed, case: 'on a page that was opened before' };
    if (!kept.tried('old-attempt-over', await poll(), before)) return;
    const again = await tryToClaim(world, { ...first, claimToken }, email);
    const after = { case: 'at the old link, opened again' };
    if (!kept.tried('old-attempt-over', again, after)) return;
    // One code may be drawn twice, though not three times.
    if (first.userCode === second.userCode) second = await world.openClaim(claimToken, email);
    if (first.userCode === second.userCode) {
      judge.expect('old-code-over', false, 'every attempt has the same code');
    } else {
      const session = await ClaimPageSession.open(world, second, email);
      const mixed = shownBy(await session.approve(first.userCode));
      if (!kept.tried('old-code-over', await poll(), mixed)) return;
    }

    const right = world.freshEmail();
    const corrected = await client.startClaim(claimToken, right);
    const isCorrected = corrected.status === 200;
    const third = isCorrected ? world.mustClaim(corrected) : second;
    if (isCorrected) {
      const polled = await tryToClaim(world, { ...third, claimToken }, email);
      if (!kept.tried('old-address-out', polled)) return;
    }
    const session = await ClaimPageSession.open(world, third, isCorrected ? right : email);
    await session.approve(third.userCode);
    const claimed = await pollPatiently(world, claimToken);
    judge.table(claimed, { 'new-attempt-claims': granted });
    kept.end(claimed);
    if (!isCorrected) judge.skip('old-address-out', 'The service takes no correction.');
  },
});

export const reopenByEmail = serviceScenario({
  id: 'reopen-by-email',
  title: 'Somebody else tries to take over the claim of a registration by email',
  checks: {
    'other-refused': 'A registration by email opens no attempt for another email.',
  },
  async run(judge, world) {
    const { client } = world;
    const { claimToken } = await world.byEmail();
    const started = await client.startClaim(claimToken, world.freshEmail());
    if (!started.refused) return void judge.table(started, { 'other-refused': refused });
    // It was refused for its email, if the same request with the right one is not.
    const control = await world.byEmail();
    await world.openClaim(control.claimToken, control.email);
    judge.table(started, { 'other-refused': refused });
  },
});
