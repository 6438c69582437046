import type { PageForm } from '../../pages/forms.ts';
import type { Page, Visitor } from '../../pages/visitor.ts';
import { asksForCode } from '../../user/form-fields.ts';
import { decisionValues } from '../../user/form-user.ts';
import type { DeviceCode } from '../device-code.ts';
import type { ProviderWorld } from '../provider-world.ts';
import { pressedFor, questionOf, signedInAt } from '../sign-in.ts';

/** A form of a device authorization that is filled in and was not sent. */
export interface FilledForm {
  readonly page: Page;
  readonly form: PageForm;
  readonly values: Readonly<Record<string, string>>;
}

/** Signs in where the code is typed; undefined where no form asks for it. */
export async function toCodeForm(
  { means }: ProviderWorld,
  visitor: Visitor,
  { userCode, verificationUri }: DeviceCode,
  email: string,
): Promise<FilledForm | undefined> {
  const page = await signedInAt(visitor, verificationUri, email, means);
  const form = page.forms.find(asksForCode);
  if (form === undefined) return undefined;
  const values = decisionValues(form, { userCode, decision: 'approve', email });
  return { page, form, values: { ...form.values, ...values } };
}

/** Signs in and sends the code: the question that follows; undefined where none does. */
export async function toQuestion(
  world: ProviderWorld,
  visitor: Visitor,
  started: DeviceCode,
  email: string,
): Promise<FilledForm | undefined> {
  const typed = await toCodeForm(world, visitor, started, email);
  if (typed === undefined || questionOf(typed.page) === typed.form) return undefined;
  const page = await visitor.submit(typed.page, typed.form, typed.values);
  const form = questionOf(page);
  return form && { page, form, values: { ...form.values, ...pressedFor(form, 'approve') } };
}

/** Whether the first poll of a device code is answered with a token. */
export async function isRedeemable(world: ProviderWorld, started: DeviceCode): Promise<boolean> {
  const answer = await world.client.poll(started.deviceCode);
  return hasToken(answer);
}

export function hasToken(answer: { string(name: string): string | undefined }): boolean {
  return answer.string('id_token') !== undefined || answer.string('access_token') !== undefined;
}

/** Whether an access token is good for the user info; false where there is no such endpoint. */
export async function opensUserInfo(world: ProviderWorld, token: string): Promise<boolean> {
  const { userInfoEndpoint } = world.facts;
  if (userInfoEndpoint === undefined) return false;
  const headers = [['authorization', `Bearer ${token}`]] as const;
  return (await world.send(userInfoEndpoint, { from: 'agent', headers })).ok;
}
