import { NotApplicable } from '../../../engine/judge.ts';
import type { FormField, PageForm } from '../../../pages/forms.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { signIn } from '../../../user/sign-in.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { isGranted, notGranted } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

export const linkReview = serviceScenario({
  id: 'link-review',
  title: 'A user signs in for the first time to an account that an ID-JAG made',
  checks: {
    asked: 'The first sign-in asks whether to keep the link of the provider.',
    kept: "A user who keeps the link reaches the code, and the provider's agent keeps its access.",
    'asked-once': 'The question whether to keep the link is asked once.',
    ended: "A user who ends the link takes the access of the provider's agent away.",
  },
  async run(judge, world) {
    const keeper = await arrive(world);
    const question = choiceOf(keeper.page);
    judge.expect('asked', question !== undefined, keeper.page.answer);
    if (question === undefined) throw new NotApplicable('The service does not ask.');
    const next = await choose(keeper, question.form, question.choices[0]);
    const exchanged = await world.client.exchange(keeper.assertion);
    const isAsked = next.forms.some(asksForCode);
    judge.expect('kept', isAsked && isGranted(exchanged), isAsked ? exchanged : next.answer);
    const again = await arriveAt(world, keeper.link, keeper.email);
    judge.expect('asked-once', again.page.forms.some(asksForCode), again.page.answer);

    const ender = await arrive(world);
    const same = choiceOf(ender.page);
    if (same === undefined) return;
    await world.accessToken(ender.assertion);
    const { answer } = await choose(ender, same.form, same.choices.at(-1));
    const { exchange } = answer;
    judge.table(await world.client.exchange(ender.assertion), { ended: notGranted }, { exchange });
  },
});

interface Arrival {
  readonly hops: Hops;
  readonly page: Page;
}

/** An account that an ID-JAG made, and its user on the way to the claim of another agent. */
async function arrive(world: ServiceWorld) {
  world.needType('identity_assertion');
  const whom = world.freshSubject();
  const made = await world.client.registerByIdJag(world.idJag(whom));
  const assertion = made.string('identity_assertion');
  if (assertion === undefined) {
    throw new NotApplicable(`The service makes no account for a new email (${made.describe()}).`);
  }
  const { claim, email } = await openClaim(world, whom.email);
  const link = claim.verificationUri;
  return { ...(await arriveAt(world, link, email)), assertion, email, link };
}

/** Signs in, and answers no question. */
async function arriveAt(world: ServiceWorld, link: string, email: string): Promise<Arrival> {
  const hops = new Hops(world);
  const first = await hops.toSignIn(link);
  const page = await signIn(hops.visitor, first, email, world.means, {
    until: (each) => choiceOf(each) !== undefined,
  });
  return { hops, page };
}

/** A form with nothing to type and more than one button. */
function choiceOf(
  page: Page,
): { readonly form: PageForm; readonly choices: readonly FormField[] } | undefined {
  for (const form of page.forms) {
    const choices = form.fields.filter(({ name, type }) => type === 'submit' && name !== '');
    const others = form.fields.filter(({ type }) => type !== 'submit' && type !== 'hidden');
    if (form.method === 'POST' && choices.length > 1 && others.length === 0) {
      return { form, choices };
    }
  }
  return undefined;
}

function choose(
  { page, hops }: Arrival,
  form: PageForm,
  choice: FormField | undefined,
): Promise<Page> {
  return hops.visitor.submit(page, form, choice ? { [choice.name]: choice.value } : {});
}
