import type { Answer } from '../../../http/answer.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode, decisionValues, signInForm } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { pagesOfAgent } from '../../steps/agent-supplied-markup.ts';
import { FROM, post } from '../../steps/forged-forms.ts';
import { Hops } from '../../steps/hops.ts';
import { Markup } from '../../steps/injected-markup.ts';
import { openClaim } from '../../steps/open-claim.ts';

type Check = 'sign-in-form' | 'link' | 'claim-form' | 'agent-words';

export const pageInjection = serviceScenario({
  id: 'page-injection',
  title: 'Somebody puts markup into what the pages show',
  checks: {
    'sign-in-form': 'Markup that is typed into the sign-in is shown as text.',
    link: 'Markup in the address of a page is shown as text.',
    'claim-form': 'Markup that is sent with the form of a claim is shown as text.',
    'agent-words':
      'Markup that an agent puts into the address of its user, or into its own name, is shown as text.',
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const markups = new Markup(world.invented);
    const { texts } = markups;
    const hops = new Hops(world);
    const seen = (check: Check, answer: Answer, url: string) =>
      judge.expect(check, !markups.isPartOf(answer, url), 'an element or an attribute made of it', {
        exchange: answer.exchange,
      });

    const signInPage = await hops.toSignIn(claim.verificationUri);
    for (const markup of texts) {
      const form = signInForm(signInPage);
      if (form === undefined) return;
      for (const value of [markup, `${markup}@${world.elsewhere}`]) {
        const typed = form.fields
          .filter(({ type }) => type === 'email' || type === 'text')
          .map(({ name }) => [name, value]);
        const page = await hops.visitor.submit(signInPage, form, Object.fromEntries(typed));
        seen('sign-in-form', page.answer, page.url);
      }
    }

    for (const markup of texts.slice(0, 3)) {
      for (const { answer, url } of await pagesOfAgent(world, markup, markups)) {
        seen('agent-words', answer, url);
      }
    }
    judge.skip('agent-words', 'The service opens no claim for an agent that does so.');

    const page = await new Hops(world).toCode(claim.verificationUri, email);
    const signedIn = new Hops(world);
    await signedIn.toCode(claim.verificationUri, email);
    const unasked = world.invented.word();
    for (const markup of texts) {
      for (const [visitor, address] of [
        [world.visitor(), claim.verificationUri],
        [world.visitor(), signInPage.url],
        [signedIn.visitor, page.url],
      ] as const) {
        const { answer, url } = await visitor.open(withMarkup(address, markup, unasked));
        seen('link', answer, url);
      }
    }

    const theirs = await signedIn.visitor.open(page.url);
    const form = theirs.forms.find(asksForCode);
    if (form === undefined) return;
    const values = {
      ...form.values,
      ...decisionValues(form, { userCode: '', decision: 'approve' }),
    };
    for (const [name] of namesOf(theirs)) {
      // What would end the claim is no use here: a few tries are enough to see an echo.
      for (const markup of texts.slice(1, 4)) {
        const sent = { ...values, [name]: markup };
        const answer = await post(signedIn.visitor, form.action, sent, FROM.ownPage(form.action));
        seen('claim-form', answer, form.action);
      }
    }
  },
});

function namesOf({ forms }: Page): readonly (readonly [string, string])[] {
  const form = forms.find(asksForCode);
  const buttons = ['submit', 'button', 'reset', 'image'];
  return (form?.fields ?? [])
    .filter(({ name, type }) => name !== '' && !buttons.includes(type))
    .map(({ name, value }) => [name, value]);
}

/** In every parameter, in one that nobody asked for, and in the usual one. */
function withMarkup(address: string, markup: string, unasked: string): string {
  const url = new URL(address);
  for (const name of new Set([...url.searchParams.keys(), 'return_to', 'error', unasked])) {
    const value = url.searchParams.get(name) ?? '/';
    url.searchParams.set(name, `${value}${markup}`);
  }
  return url.href;
}
