import { NotApplicable } from '../../../engine/judge.ts';
import type { FormField, PageForm } from '../../../pages/forms.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode, signInForm, signInValues } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { isGranted } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

const MAX_STEPS = 4;

export const linkReview = serviceScenario({
  id: 'link-review',
  title: 'Somebody signs in for the first time to an account that a provider made for them',
  checks: {
    asked: 'The first sign-in asks whether to keep the link of the provider.',
    kept: 'Whoever keeps it gets on, and the agent of the provider goes on too.',
    'asked-once': 'The question is asked once.',
    ended: 'Whoever ends it takes the access of that agent away.',
  },
  async run(judge, world) {
    const keeper = await arrive(world);
    const question = choiceOf(keeper.page);
    if (
      !judge.expect('asked', question !== undefined, keeper.page.answer) ||
      question === undefined
    )
      throw new NotApplicable('The service does not ask.');
    const [keep] = question.choices;
    const on = await choose(keeper, question.form, keep);
    const goesOn = await world.client.exchange(keeper.assertion);
    judge.expect(
      'kept',
      on.forms.some(asksForCode) && isGranted(goesOn),
      on.forms.some(asksForCode) ? goesOn : on.answer,
    );
    const again = await arriveAt(world, keeper.link, keeper.email);
    judge.expect('asked-once', again.page.forms.some(asksForCode), again.page.answer);

    const ender = await arrive(world);
    const same = choiceOf(ender.page);
    if (same === undefined) return;
    const last = await choose(ender, same.form, same.choices.at(-1));
    const refused = await world.client.exchange(ender.assertion);
    judge.expect('ended', !isGranted(refused), refused, { exchange: last.answer.exchange });
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
    throw new NotApplicable(`The service makes no account for a new address (${made.describe()}).`);
  }
  const { claim, email } = await openClaim(world, whom.email);
  const link = claim.verificationUri;
  return { ...(await arriveAt(world, link, email)), assertion, email, link };
}

/** Signs in, and decides nothing. */
async function arriveAt(world: ServiceWorld, link: string, email: string): Promise<Arrival> {
  const hops = new Hops(world);
  let page = await hops.toSignIn(link);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const form = signInForm(page, step > 0);
    if (form === undefined || choiceOf(page) !== undefined) break;
    page = await hops.visitor.submit(page, form, signInValues(form, email));
  }
  return { hops, page };
}

/** Nothing to type, and more than one button. */
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
