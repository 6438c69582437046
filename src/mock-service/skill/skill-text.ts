import { shellWord } from '../../runtime/shell-word.ts';
import type { ServiceConfig, ServiceResource } from '../config/config.ts';
import { tokenAnswer } from '../token-request/token-answer.ts';

/** A Markdown code span. A backtick would end it. */
export function code(text: string): string {
  return `\`${text.replaceAll('`', '%60')}\``;
}

export function codeList(values: readonly string[]): string {
  return values.map(code).join(', ');
}

/** Lines for a shell. */
export function lines(...commands: readonly string[]): string {
  return `\`\`\`sh\n${commands.join('\n')}\n\`\`\``;
}

/** A line that prints what an answer has of these, and the error, where it is one. */
export function showing(members: readonly string[]): string {
  return [...members, 'error'].map((name) => `member ${name}`).join('; ');
}

/** A sample answer. */
export function answer(body: object): string {
  return `\`\`\`json\n${JSON.stringify(body)}\n\`\`\``;
}

/** A POST of JSON; each `%s` stands for the value of a variable, which goes over stdin. */
export function post(url: string, body: string, ...variables: readonly string[]): string {
  return `${sent(body, variables)} | curl -sS ${shellWord(url)} -H 'Content-Type: application/json' --data @-`;
}

/** The same of a form. */
export function postForm(url: string, form: string, ...variables: readonly string[]): string {
  return `${sent(form, variables)} | curl -sS ${shellWord(url)} --data @-`;
}

/** A call with the access token, which is no word of the command either. */
export function call(method: string, url: string): string {
  const verb = method === 'GET' ? '' : `-X ${method} `;
  return `printf 'Authorization: Bearer %s' "$ACCESS_TOKEN" | curl -sS ${verb}-H @- ${shellWord(url)}`;
}

function sent(format: string, variables: readonly string[]): string {
  return ['printf', `'${format}'`, ...variables.map((name) => `"$${name}"`)].join(' ');
}

/** Answers as they look in every dialect. What is a secret or made up ends in an ellipsis. */

export const REGISTRATION = { registration_id: 'reg_…' };

/** The answer to an exchange after the claim. */
export function tokenSample({ lifetimes, scopes }: ServiceConfig): object {
  const issued = { lifetime: lifetimes.accessToken, scopes: scopes.postClaim };
  return tokenAnswer({ accessToken: 'at_…', ...issued });
}

/** The answer to a call after the claim; `undefined` where the body is configured. */
export function resourceSample(
  { scopes }: ServiceConfig,
  { body }: ServiceResource,
): object | undefined {
  if (body !== undefined) return undefined;
  const scope = scopes.postClaim.join(' ');
  return { message: '…', ...REGISTRATION, scope, user: { email: 'alice@example.com' } };
}

/** A time in seconds as it is sent: whole ones, rounded up where they are a pause. */
export function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
