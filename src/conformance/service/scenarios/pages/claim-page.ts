import type { Page } from '../../../pages/visitor.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { decide, denying } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { stringsIn } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { textOf } from '../../steps/injected-markup.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

/** As often as a prefetching mail client and an undecided user may open a link. */
const VISITS = 6;

export const claimPage = serviceScenario({
  id: 'claim-page',
  title: 'What a user sees before they approve an agent',
  checks: {
    'deny-offered': 'Beside the field for the code there is a button to deny.',
    'account-shown': 'The claim page shows the email of the account that is signed in.',
    'scopes-shown': 'The claim page names what the agent will be able to do.',
    'looking-changes-nothing':
      'Opening a link, however often, neither completes the claim nor uses it up.',
  },
  async run(judge, world) {
    const { claim, email, claimToken } = await openClaim(world);
    const { userCode, verificationUri: link } = claim;
    const hops = new Hops(world);
    const page = await hops.toCode(link, email);
    if (!page.forms.some(asksForCode)) return;
    const text = textOf(page);
    const { exchange } = page.answer;
    const unnamed = stringsIn(world.facts.metadata['scopes_supported']).filter(
      (scope) => !isNamed(scope, text),
    );
    judge.table(
      page,
      {
        // Whether a denial works is judged by polls; words on a page prove nothing.
        'deny-offered': { ok: offersDenial(page), seen: 'no such button' },
        'account-shown': {
          ok: text.toLowerCase().includes(email),
          seen: `a page without ${email}`,
        },
        'scopes-shown': { ok: unnamed.length === 0, seen: `nothing about ${unnamed.join(', ')}` },
      },
      { exchange },
    );

    for (let n = 0; n < VISITS; n += 1) {
      const method = n % 2 === 0 ? 'HEAD' : 'GET';
      await world.visitor().exchange(link, { method });
      await hops.visitor.exchange(page.url, { method });
    }
    const looked = await world.client.poll(claimToken);
    // Some forms are accepted from the latest view of their page only.
    const latest = await hops.visitor.open(page.url);
    const form = latest.forms.find(asksForCode);
    const approval = { userCode, decision: 'approve' } as const;
    const typed = form && (await decide(hops.visitor, latest, form, approval));
    const claimed = await pollPatiently(world, claimToken);
    judge.expect(
      'looking-changes-nothing',
      !looked.ok && claimed.ok,
      looked.ok ? looked : claimed,
      {
        exchange: looked.ok ? looked.exchange : (typed ?? latest).answer.exchange,
      },
    );
  },
});

function offersDenial(page: Page): boolean {
  const form = page.forms.find(asksForCode);
  if (form === undefined) return false;
  if (denying(page) !== undefined) return true;
  // In words that the suite does not know: its other scenarios cannot use it.
  const choices = form.fields.filter(({ type }) => ['submit', 'button', 'radio'].includes(type));
  return choices.length > 1;
}

/** Whether a text names a scope: by its name, or by the last word of its name: `api.write` → `write`. */
function isNamed(scope: string, text: string): boolean {
  const words = scope.split(/[^a-z]+/i).filter((word) => word.length > 2);
  return [scope, ...words.slice(-1)].some((word) =>
    text.toLowerCase().includes(word.toLowerCase()),
  );
}
