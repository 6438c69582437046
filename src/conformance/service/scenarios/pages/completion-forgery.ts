import { CannotTest } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import type { PageForm } from '../../../pages/forms.ts';
import type { Visitor } from '../../../pages/visitor.ts';
import { asksForCode, decisionValues, denying } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { isGranted } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import {
  asUrl,
  FROM,
  led,
  only,
  post,
  postAsText,
  tokenNames,
  without,
} from '../../steps/forged-forms.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

type Values = Readonly<Record<string, string>>;

export const completionForgery = serviceScenario({
  id: 'completion-forgery',
  title: "A foreign page sends the form of a claim, in its user's browser",
  checks: {
    'foreign-page': 'A form that a foreign page sends completes no claim.',
    'foreign-denial': 'It denies none either.',
    'sibling-page':
      'Neither completes a claim what a page of the same site, at another origin, sends without the right token.',
    'by-address': 'A GET or HEAD with the values of the form completes no claim.',
    'token-needed': 'The form has a value of its session, and completes no claim without it.',
    'foreign-origin': 'A form with the right token from a foreign Origin completes no claim.',
    'null-origin':
      'One whose Origin is null completes no claim unless the browser says it is same-origin.',
    'null-same-origin': 'One whose Origin is null and that is same-origin completes a claim.',
    'refusal-status': 'A forged form is answered 403.',
    'token-header': 'The token is also read from the header X-CSRF-Token.',
    'json-without-origin': 'JSON with the right token and without an Origin completes a claim.',
  },
  async run(judge, world) {
    const tokens = await learnTokens(world);
    const author = await ClaimPageSession.open(world, ...(await openClaimOf(world)));
    const theirs = only(author.form.values, tokens);

    const foreign = await victim(world);
    const bare = without(foreign.values, tokens);
    const forged = [
      await post(foreign.visitor, foreign.action, bare, FROM.foreignPage(world.elsewhere)),
      await post(
        foreign.visitor,
        foreign.action,
        { ...bare, ...theirs },
        FROM.foreignPage(world.elsewhere),
      ),
      await post(foreign.visitor, foreign.action, { ...bare, ...theirs }, FROM.nowhere()),
      await postAsText(foreign.visitor, foreign.action, bare, FROM.foreignPage(world.elsewhere)),
    ];
    judge.expect('foreign-page', !(await foreign.isClaimed()), 'a completed claim', {
      exchange: forged.find(({ ok }) => ok)?.exchange ?? forged[0]?.exchange,
    });
    const near = await victim(world);
    const ours = without(near.values, tokens);
    const tried = [
      await post(near.visitor, near.action, ours, FROM.sibling(near.action)),
      await post(near.visitor, near.action, { ...ours, ...theirs }, FROM.sibling(near.action)),
    ];
    // With the session's cookies: without them it may well be answered 401, or by a sign-in.
    const refused = judge.expect('sibling-page', !(await near.isClaimed()), 'a completed claim', {
      exchange: tried.find(({ ok }) => ok)?.exchange ?? tried[0]?.exchange,
    });

    if (refused) {
      judge.expect('refusal-status', tried[0]?.status === 403, tried[0] ?? 'nothing');
    } else {
      judge.skip('refusal-status', 'The forged form was taken.');
    }

    const denied = await victim(world, 'deny');
    const denials = [
      await post(
        denied.visitor,
        denied.action,
        without(denied.values, tokens),
        FROM.foreignPage(world.elsewhere),
      ),
      await post(
        denied.visitor,
        denied.action,
        { ...without(denied.values, tokens), ...theirs },
        FROM.foreignPage(world.elsewhere),
      ),
    ];
    judge.expect(
      'foreign-denial',
      (await denied.poll()).errorCode !== 'access_denied',
      'access_denied for the agent',
      { exchange: denials.find(({ ok }) => ok)?.exchange ?? denials[0]?.exchange },
    );

    const linked = await victim(world);
    for (const address of [linked.action, linked.page]) {
      for (const method of ['HEAD', 'GET']) {
        await led(linked.visitor, asUrl(address, linked.values), method);
      }
    }
    judge.expect('by-address', !(await linked.isClaimed()), 'a completed claim');

    const untold = await victim(world);
    const sent = await post(
      untold.visitor,
      untold.action,
      without(untold.values, tokens),
      FROM.ownPage(untold.action),
    );
    judge.expect(
      'token-needed',
      tokens.length > 0 && !(await untold.isClaimed()),
      tokens.length > 0 ? sent : 'a form without any value of the session',
      { exchange: sent.exchange },
    );

    const ORIGINS = [
      ['foreign-origin', FROM.sibling(author.form.action), false],
      ['null-origin', FROM.hiddenSibling(), false],
      [
        'null-same-origin',
        [
          ['origin', 'null'],
          ['sec-fetch-site', 'same-origin'],
        ],
        true,
      ],
    ] as const;
    for (const [check, from, isOurs] of ORIGINS) {
      const { action, isClaimed, values, visitor } = await victim(world);
      const answer = await post(visitor, action, values, from);
      judge.expect(check, (await isClaimed()) === isOurs, answer, {
        expected: isOurs ? 'a completed claim' : 'no claim',
      });
    }

    if (!tokens.includes('csrf_token')) {
      const reason = 'The form has no csrf_token.';
      judge.skip(['token-header', 'json-without-origin'], reason);
      return;
    }
    const byHeader = await victim(world);
    const answer = await post(byHeader.visitor, byHeader.action, without(byHeader.values, tokens), [
      ...FROM.ownPage(byHeader.action),
      ['x-csrf-token', byHeader.values['csrf_token'] ?? ''],
    ]);
    judge.expect('token-header', await byHeader.isClaimed(), answer);
    const program = await victim(world);
    const json = await program.visitor.exchange(program.action, {
      headers: [['content-type', 'application/json']],
      body: JSON.stringify(program.values),
    });
    if ([404, 405, 406, 415].includes(json.status)) {
      judge.skip(
        'json-without-origin',
        `The service takes no completion as JSON (${json.status}).`,
      );
      return;
    }
    judge.expect('json-without-origin', await program.isClaimed(), json);
  },
});

/** @throws CannotTest when the right form does not complete a claim: then no forged one proves anything. */
async function learnTokens(world: ServiceWorld): Promise<readonly string[]> {
  const { claim, claimToken, email } = await openClaim(world);
  const one = await ClaimPageSession.open(world, claim, email);
  const another = await ClaimPageSession.open(world, claim, email);
  const tokens = tokenNames(one.form, another.form);
  const answer = await one.approve(claim.userCode);
  if (isGranted(await pollPatiently(world, claimToken))) return tokens;
  throw new CannotTest(`The form of the claim page completes no claim (${answer.describe()}).`);
}

async function openClaimOf(world: ServiceWorld) {
  const { claim, email } = await openClaim(world);
  return [claim, email] as const;
}

interface Victim {
  readonly visitor: Visitor;
  /** The address of the page with the form. */
  readonly page: string;
  readonly action: string;
  /** What the form would send, filled in. */
  readonly values: Values;
  poll(): Promise<Answer>;
  isClaimed(): Promise<boolean>;
}

/** Somebody in front of their own claim. */
async function victim(
  world: ServiceWorld,
  decision: 'approve' | 'deny' = 'approve',
): Promise<Victim> {
  const { claim, claimToken, email } = await openClaim(world);
  const { form: asking, page, visitor } = await ClaimPageSession.open(world, claim, email);
  const form: PageForm = decision === 'deny' ? denying(page, asking) : asking;
  const userCode = asksForCode(form) && decision === 'approve' ? claim.userCode : '';
  const poll = () => pollPatiently(world, claimToken);
  return {
    visitor,
    page: page.url,
    action: form.action,
    values: { ...form.values, ...decisionValues(form, { userCode, decision }) },
    poll,
    isClaimed: async () => isGranted(await poll()),
  };
}
