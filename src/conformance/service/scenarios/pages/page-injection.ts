import type { Answer } from '../../../http/answer.ts';
import { FROM, postForm } from '../../../pages/forged-forms.ts';
import type { PageForm } from '../../../pages/forms.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { decisionValues } from '../../../user/form-user.ts';
import { signInForm } from '../../../user/sign-in-form.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { pagesWithAgentMarkup } from '../../steps/agent-supplied-markup.ts';
import { Hops } from '../../steps/hops.ts';
import { Markup } from '../../steps/injected-markup.ts';
import { openClaim } from '../../steps/open-claim.ts';

type Check = 'sign-in-form' | 'link' | 'claim-form' | 'agent-words';

export const pageInjection = serviceScenario({
  id: 'page-injection',
  title: 'Somebody puts markup into what the pages show',
  checks: {
    'sign-in-form': 'Markup that is typed into the sign-in is shown as text.',
    link: 'Markup in the URL of a page is shown as text.',
    'claim-form': 'Markup that is sent with the form of a claim is shown as text.',
    'agent-words':
      "Markup that an agent puts into its user's email or its own name is shown as text.",
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const markups = new Markup(world.invented);
    const { texts } = markups;
    const expectText = (check: Check, answer: Answer, url: string) => {
      const { exchange } = answer;
      const isText = !markups.isPartOf(answer, url);
      judge.expect(check, isText, 'an element or an attribute made of it', { exchange });
    };

    const hops = new Hops(world);
    const signInPage = await hops.toSignIn(claim.verificationUri);
    const signIn = signInForm(signInPage);
    if (signIn === undefined) return;
    for (const markup of texts) {
      for (const value of [markup, `${markup}@${world.elsewhere}`]) {
        const typed = signIn.fields
          .filter(({ type }) => type === 'email' || type === 'text')
          .map(({ name }) => [name, value]);
        const page = await hops.visitor.submit(signInPage, signIn, Object.fromEntries(typed));
        expectText('sign-in-form', page.answer, page.url);
      }
    }

    for (const markup of texts.slice(0, 3)) {
      for (const { answer, url } of await pagesWithAgentMarkup(world, markup, markups)) {
        expectText('agent-words', answer, url);
      }
    }
    judge.skip('agent-words', 'The service opens no claim for an agent that does so.');

    const page = await new Hops(world).toCode(claim.verificationUri, email);
    const signedIn = new Hops(world);
    await signedIn.toCode(claim.verificationUri, email);
    const unasked = world.invented.word();
    for (const markup of texts) {
      for (const [visitor, target] of [
        [world.visitor(), claim.verificationUri],
        [world.visitor(), signInPage.url],
        [signedIn.visitor, page.url],
      ] as const) {
        const { answer, url } = await visitor.open(withMarkup(target, markup, unasked));
        expectText('link', answer, url);
      }
    }

    const claimForm = (await signedIn.visitor.open(page.url)).forms.find(asksForCode);
    if (claimForm === undefined) return;
    const { action } = claimForm;
    const blank = decisionValues(claimForm, { userCode: '', decision: 'approve' });
    for (const name of fieldNames(claimForm)) {
      // Too many wrong codes would end the claim: a few tries are enough to see an echo.
      for (const markup of texts.slice(1, 4)) {
        const values = { ...claimForm.values, ...blank, [name]: markup };
        const answer = await postForm(signedIn.visitor, action, values, FROM.ownPage(action));
        expectText('claim-form', answer, action);
      }
    }
  },
});

function fieldNames({ fields }: PageForm): readonly string[] {
  const buttons = ['submit', 'button', 'reset', 'image'];
  return fields
    .filter(({ name, type }) => name !== '' && !buttons.includes(type))
    .map(({ name }) => name);
}

/** Markup in every parameter of a URL, in the usual ones and in one that nobody asked for. */
function withMarkup(target: string, markup: string, unasked: string): string {
  const url = new URL(target);
  for (const name of new Set([...url.searchParams.keys(), 'return_to', 'error', unasked])) {
    const value = url.searchParams.get(name) ?? '/';
    url.searchParams.set(name, `${value}${markup}`);
  }
  return url.href;
}
