/** The name of a value that each run has anew, as a transcript has it: `{claim_token_1}`, `{service}`. */
const NAME = /\{(?:service|provider|time|[a-z][a-z0-9_]{0,80}_\d{1,9})\}/g;

/** What the recorded service compares with nothing that an agent was given. */
const UNCHECKED =
  /^\{(?:cookie|csrf_token|etag|jti|kid|nonce|key_[xyne]|origin|user_id|uuid)_\d+\}$/;

/** Whether an answer to a request with another value of that name would be another one. */
export function isChecked(name: string): boolean {
  return !UNCHECKED.test(name);
}

/** Whether a value of that name belongs to one registration. */
export function isOfRegistration(name: string): boolean {
  return isChecked(name) && !/^\{(?:service|provider|time)\}$/.test(name);
}

/** The names in a text, or anywhere in a value of JSON. */
export function namesIn(value: unknown): readonly string[] {
  return JSON.stringify(value ?? null).match(NAME) ?? [];
}

export function replaceNames(template: string, valueFor: (name: string) => string): string {
  return template.replace(NAME, valueFor);
}

/** What names stand for in one run. */
export interface Names {
  readonly known: (name: string) => string | undefined;
  /** Takes a name for a value, or says that it stands for another one. */
  readonly take: (name: string, value: string) => boolean;
}

/** Whether a text is what the template says, in one pass: a name reaches to the next text that stands as it is. */
export function matchText(template: string, text: string, names: Names): boolean {
  const [start = '', ...literals] = template.split(NAME);
  if (!text.startsWith(start)) return false;
  let at = start.length;
  for (const [index, name] of (template.match(NAME) ?? []).entries()) {
    const next = literals[index] ?? '';
    const isLast = index === literals.length - 1;
    const known = names.known(name);
    let end = next === '' ? -1 : text.indexOf(next, at);
    if (known !== undefined && text.startsWith(known, at)) end = at + known.length;
    else if (isLast && text.endsWith(next)) end = text.length - next.length;
    if (end <= at || !text.startsWith(next, end)) return false;
    if (name !== '{time}' && !names.take(name, text.slice(at, end))) return false;
    at = end + next.length;
  }
  return at === text.length;
}
