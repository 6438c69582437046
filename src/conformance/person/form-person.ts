import { CannotTest } from '../judge.ts';
import type { FormField, PageForm } from '../pages/forms.ts';
import type { Page, Visitor } from '../pages/visitor.ts';
import type { ClaimReport, ClaimTask, Person } from './person.ts';

const MAX_STEPS = 8;

/** Reads the pages' forms as a person reads them: by types, names and labels. No browser. */
export class FormPerson implements Person {
  readonly kind = 'form';
  readonly #visit: () => Visitor;

  constructor(visit: () => Visitor) {
    this.#visit = visit;
  }

  async claim(task: ClaimTask): Promise<ClaimReport> {
    const visitor = this.#visit();
    const page = await signIn(visitor, await visitor.open(task.verificationUri), task.email);
    const form = page.forms.find(asksForCode);
    if (form === undefined) return report(page);
    return report(await decide(visitor, page, form, task));
  }
}

/** Fills in whatever asks who somebody is, until a page asks for something else. */
export async function signIn(visitor: Visitor, first: Page, email: string): Promise<Page> {
  let page = first;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const form = page.forms.find(
      (candidate) => candidate.method === 'POST' && !asksForCode(candidate) && isSignIn(candidate),
    );
    if (form === undefined) return page;
    if (form.fields.some(({ type }) => type === 'password')) {
      throw new CannotTest(
        'Its sign-in asks for a password: use --user manual, browser or command.',
      );
    }
    const address = form.fields.find(asksForAddress);
    page = await visitor.submit(page, form, {
      ...(address === undefined ? {} : { [address.name]: email }),
      ...pressed(form, undefined),
    });
  }
  throw new CannotTest('Its sign-in does not come to an end.');
}

/** Sends the form of a claim page. */
export function decide(
  visitor: Visitor,
  page: Page,
  form: PageForm,
  { userCode, decision }: Pick<ClaimTask, 'userCode' | 'decision'>,
): Promise<Page> {
  const chosen = decision === 'deny' ? denying(page, form) : form;
  const code = chosen.fields.find(isCodeField);
  return visitor.submit(page, chosen, {
    ...(code === undefined ? {} : { [code.name]: userCode }),
    ...pressed(chosen, decision),
  });
}

export function asksForCode(form: PageForm): boolean {
  return form.fields.some(isCodeField);
}

function isCodeField({ type, name, label }: FormField): boolean {
  return isTyped(type) && /code|otp|pin\b/i.test(`${name} ${label}`);
}

/** Deny may stand in the same form as approve, or have one of its own. */
function denying(page: Page, form: PageForm): PageForm {
  return page.forms.find((other) => other.fields.some(isDeny)) ?? form;
}

function isDeny({ type, value, label }: FormField): boolean {
  return (
    ['submit', 'button', 'radio', 'hidden'].includes(type) &&
    /\b(deny|decline|reject|refuse)\b/i.test(`${value} ${label}`)
  );
}

function isSignIn(form: PageForm): boolean {
  const words = `${form.action} ${form.fields.map(({ label }) => label).join(' ')}`;
  return (
    form.fields.some(asksForAddress) ||
    (/sign.?in|log.?in|continue/i.test(words) && !/log.?out|sign.?out/i.test(words))
  );
}

function asksForAddress({ type, name, label }: FormField): boolean {
  return (
    type === 'email' || (isTyped(type) && /e-?mail|user|login|account/i.test(`${name} ${label}`))
  );
}

function isTyped(type: string): boolean {
  return ['text', 'email', 'tel', 'number', 'search'].includes(type);
}

/** The name and value of the button that stands for a decision. */
function pressed(
  form: PageForm,
  decision: ClaimTask['decision'] | undefined,
): Record<string, string> {
  const buttons = form.fields.filter(({ type }) => type === 'submit' || type === 'button');
  const button =
    decision === 'deny' ? buttons.find(isDeny) : buttons.find((candidate) => !isDeny(candidate));
  return button === undefined || button.name === '' ? {} : { [button.name]: button.value };
}

function report({ answer }: Page): ClaimReport {
  return { status: answer.status, text: answer.text, exchange: answer.exchange };
}
