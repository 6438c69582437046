import { CannotTest } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import {
  asUrl,
  bareAction,
  FROM,
  followForeignLink,
  only,
  postForm,
  postJsonAsText,
  tokenNames,
  without,
} from '../../../pages/forged-forms.ts';
import type { PageForm } from '../../../pages/forms.ts';
import type { Visitor } from '../../../pages/visitor.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { decisionValues, denying } from '../../../user/form-user.ts';
import { NoDenial } from '../../../user/own-reading.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { isGranted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { referrerPolicy } from '../../steps/referrer-policy.ts';

type Values = Readonly<Record<string, string>>;

const COMPLETED = 'a completed claim';

const BY_ORIGIN =
  'The forms that other pages sent were refused all the same: RFC 6749 §10.12 leaves open by what, and Origin, Sec-Fetch-Site or SameSite may be enough.';

export const completionForgery = serviceScenario({
  id: 'completion-forgery',
  title: "A foreign page sends the form of a claim, in its user's browser",
  checks: {
    'foreign-page': 'A form that a foreign page sends completes no claim.',
    'foreign-denial': 'A form that a foreign page sends denies no claim.',
    'sibling-page':
      'A form without the right token, from another origin of the same site, completes no claim.',
    'by-address': 'A GET or HEAD with the values of the form completes no claim.',
    'token-needed': 'The form has a token of its session, and completes no claim without it.',
    'foreign-origin': 'A form with the right token from a foreign Origin completes no claim.',
    'null-same-origin':
      'Where the page has Referrer-Policy: no-referrer, so that every real browser sends its form with Origin: null, that form completes a claim.',
  },
  resting: {
    'completion-forgery.foreign-page': [
      'sibling-page',
      'foreign-denial',
      'token-needed',
      'foreign-origin',
    ],
    'completion-forgery.sibling-page': ['token-needed', 'foreign-origin'],
  },
  async run(judge, world) {
    const tokens = await learnTokens(world);
    const { claim, email } = await openClaim(world, world.userEmail());
    const attacker = await ClaimPageSession.open(world, claim, email);
    const attackersTokens = only(attacker.form.values, tokens);
    const foreignPage = FROM.foreignPage(world.elsewhere);

    await judgeForeignPage();
    await judgeSiblingPage();
    await judgeForeignDenial();
    await judgeLinks();
    await judgeMissingToken();
    await judgeOrigins();

    async function judgeForeignPage(): Promise<void> {
      const { bare, isClaimed, target, visitor } = await victim(world, tokens);
      const forged = { ...bare, ...attackersTokens };
      const sent = [
        await postForm(visitor, target, bare, foreignPage),
        await postForm(visitor, target, forged, foreignPage),
        await postForm(visitor, target, forged, FROM.hiddenOrigin()),
        await postJsonAsText(visitor, target, bare, foreignPage),
      ];
      judge.expect('foreign-page', !(await isClaimed()), COMPLETED, shownBy(...sent));
    }

    async function judgeSiblingPage(): Promise<void> {
      const { action, bare, isClaimed, target, visitor } = await victim(world, tokens);
      const sibling = FROM.sibling(action);
      const first = await postForm(visitor, target, bare, sibling);
      const second = await postForm(visitor, target, { ...bare, ...attackersTokens }, sibling);
      const third = await postJsonAsText(visitor, action, bare, sibling);
      const sent = shownBy(first, second, third);
      judge.expect('sibling-page', !(await isClaimed()), COMPLETED, sent);
    }

    async function judgeForeignDenial(): Promise<void> {
      if (denying(attacker.page) === undefined) {
        return judge.skip('foreign-denial', new NoDenial().message);
      }
      const { bare, poll, target, visitor } = await victim(world, tokens, 'deny');
      const sent = [
        await postForm(visitor, target, bare, foreignPage),
        await postForm(visitor, target, { ...bare, ...attackersTokens }, foreignPage),
      ];
      const isDenied = (await poll()).errorCode === 'access_denied';
      judge.expect('foreign-denial', !isDenied, 'access_denied for the agent', shownBy(...sent));
    }

    async function judgeLinks(): Promise<void> {
      const { action, bare, isClaimed, page, values, visitor } = await victim(world, tokens);
      for (const url of [action, page]) {
        for (const method of ['HEAD', 'GET']) {
          await followForeignLink(visitor, asUrl(url, values), method);
        }
        // Where a parameter names the method, that of the request decides whether a token is looked for.
        const renamed = { ...bare, _method: 'POST' };
        await followForeignLink(visitor, asUrl(bareAction(url, tokens), renamed));
      }
      judge.expect('by-address', !(await isClaimed()), COMPLETED);
    }

    async function judgeMissingToken(): Promise<void> {
      const { action, bare, isClaimed, target, visitor } = await victim(world, tokens);
      const sent = await postForm(visitor, target, bare, FROM.ownPage(action));
      if (tokens.length > 0) {
        judge.expect('token-needed', !(await isClaimed()), sent, sent);
        return;
      }
      const seen = 'a form without any token of the session';
      judge.expect('token-needed', false, seen, { ...shownBy(sent), reading: BY_ORIGIN });
    }

    async function judgeOrigins(): Promise<void> {
      const sameOrigin: HeaderList = [
        ['origin', 'null'],
        ['sec-fetch-site', 'same-origin'],
      ];
      for (const [check, from, isOurs] of [
        ['foreign-origin', FROM.sibling(attacker.form.action), false],
        ['null-same-origin', sameOrigin, true],
      ] as const) {
        const { action, isClaimed, policy, values, visitor } = await victim(world, tokens);
        const answer = await postForm(visitor, action, values, from);
        const isRight = (await isClaimed()) === isOurs;
        if (!isRight && isOurs && policy !== 'no-referrer') {
          const reason = `Under the Referrer-Policy of its pages (${policy ?? 'none'}) no browser sends that.`;
          judge.skip(check, reason);
          continue;
        }
        judge.expect(check, isRight, answer);
      }
    }
  },
});

/** @throws CannotTest when the right form completes no claim: then no forged one proves anything. */
async function learnTokens(world: ServiceWorld): Promise<readonly string[]> {
  const { claim, claimToken, email } = await openClaim(world, world.userEmail());
  const one = await ClaimPageSession.open(world, claim, email);
  const another = await ClaimPageSession.open(world, claim, email);
  const tokens = tokenNames(one.form, another.form);
  const answer = await one.approve(claim.userCode);
  if (isGranted(await pollPatiently(world, claimToken))) return tokens;
  throw new CannotTest(`The form of the claim page completes no claim (${answer.describe()}).`);
}

interface Victim {
  readonly visitor: Visitor;
  /** The URL of the page with the form. */
  readonly page: string;
  /** Its Referrer-Policy. */
  readonly policy: string | undefined;
  readonly action: string;
  /** What the form would send, filled in. */
  readonly values: Values;
  /** The same as another site knows it: without the tokens of the session. */
  readonly bare: Values;
  readonly target: string;
  poll(): Promise<Answer>;
  isClaimed(): Promise<boolean>;
}

/** A user signed in on the page of their own claim. */
async function victim(
  world: ServiceWorld,
  tokens: readonly string[],
  decision: 'approve' | 'deny' = 'approve',
): Promise<Victim> {
  const { claim, claimToken, email } = await openClaim(world, world.userEmail());
  const { form: asking, page, visitor } = await ClaimPageSession.open(world, claim, email);
  const form: PageForm | undefined = decision === 'deny' ? denying(page) : asking;
  if (form === undefined) throw new NoDenial();
  const userCode = asksForCode(form) && decision === 'approve' ? claim.userCode : '';
  const values = { ...form.values, ...decisionValues(form, { userCode, decision, email }) };
  const poll = () => pollPatiently(world, claimToken);
  return {
    visitor,
    page: page.url,
    policy: referrerPolicy(page.answer),
    action: form.action,
    values,
    bare: without(values, tokens),
    target: bareAction(form.action, tokens),
    poll,
    isClaimed: async () => isGranted(await poll()),
  };
}
