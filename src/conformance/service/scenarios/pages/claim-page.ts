import { readContent } from '../../../pages/page-content.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode, decide, denying } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

/** Somebody who prefetches links, and a user who opens theirs again and again. */
const LOOKS = 6;

export const claimPage = serviceScenario({
  id: 'claim-page',
  title: 'What a user sees before they let an agent in',
  checks: {
    'deny-offered': 'Beside the field for the code there is a way to deny.',
    'account-shown': 'The page shows which account is signed in.',
    'scopes-shown': 'The page says what the agent will be able to do.',
    'first-agent': 'The page for the first agent of an account says more than that for the second.',
    'looking-changes-nothing': 'Opening a link, however often, neither completes nor spends it.',
    'finished-link': 'The link of a completed claim asks for no code any more.',
  },
  async run(judge, world) {
    const { claim, email, claimToken } = await openClaim(world);
    const link = claim.verificationUri;
    const hops = new Hops(world);
    const page = await hops.toCode(link, email);
    const form = page.forms.find(asksForCode);
    if (form === undefined) return;
    const { text } = readContent(page.answer, page.url);
    const { exchange } = page.answer;
    judge.expect(
      'deny-offered',
      offersDenial(page),
      // That a denial works is judged by what a poll says; words on a page prove nothing.
      'none that is understood as one',
      { exchange, warn: true },
    );
    judge.expect('account-shown', text.toLowerCase().includes(email), 'a page without it', {
      expected: `a page that shows ${email}`,
      exchange,
    });
    const missing = scopesOf(world).filter((scope) => !isTold(scope, text));
    judge.expect('scopes-shown', missing.length === 0, `nothing about ${missing.join(', ')}`, {
      exchange,
    });

    for (let n = 0; n < LOOKS; n += 1) {
      await world.visitor().exchange(link, { method: n % 2 === 0 ? 'HEAD' : 'GET' });
      await hops.visitor.exchange(page.url, { method: n % 2 === 0 ? 'HEAD' : 'GET' });
    }
    const looked = await world.client.poll(claimToken);
    // A form may be good for the latest view of its page alone.
    const latest = await hops.visitor.open(page.url);
    const latestForm = latest.forms.find(asksForCode);
    const { userCode } = claim;
    const typed =
      latestForm &&
      (await decide(hops.visitor, latest, latestForm, { userCode, decision: 'approve' }));
    const claimed = await pollPatiently(world, claimToken);
    judge.expect(
      'looking-changes-nothing',
      !looked.ok && claimed.ok,
      looked.ok ? looked : claimed,
      { exchange: looked.ok ? looked.exchange : (typed ?? latest).answer.exchange },
    );
    if (!claimed.ok) return;
    const again = await hops.visitor.open(link);
    judge.expect('finished-link', !again.forms.some(asksForCode), 'a field for a code', {
      exchange: again.answer.exchange,
    });

    const second = await openClaim(world, email);
    const next = await hops.visitor.open(second.claim.verificationUri);
    judge.expect(
      'first-agent',
      plain(text) !== plain(readContent(next.answer, next.url).text),
      'two pages that say the same',
      { exchange },
    );
  },
});

function offersDenial(page: Page): boolean {
  const form = page.forms.find(asksForCode);
  if (form === undefined) return false;
  const denies = denying(page, form);
  const choices = denies.fields.filter(({ type }) => ['submit', 'button', 'radio'].includes(type));
  return denies !== form || choices.length > 1;
}

function scopesOf({ facts }: ServiceWorld): readonly string[] {
  const scopes = facts.metadata['scopes_supported'];
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
}

/** By its name, or by a word of its name: `api.write` → `write`. */
function isTold(scope: string, text: string): boolean {
  const words = scope.split(/[^a-z]+/i).filter((word) => word.length > 2);
  return [scope, ...words.slice(-1)].some((word) =>
    text.toLowerCase().includes(word.toLowerCase()),
  );
}

/** Without what is another one each time: times, numbers. */
function plain(text: string): string {
  return text.replace(/\d+/g, '');
}
