/** The name of a value that each run has anew, as a transcript has it: `{claim_token_1}`, `{service}`. */
const NAME = /\{(?:service|provider|time|[a-z][a-z0-9_]{0,80}_\d{1,9})\}/g;

/** What is the same in a whole replay, or in no two answers of it: it says nothing of a registration. */
const SHARED =
  /^\{(?:service|provider|time|(?:origin|kid|key_[xyne]|cookie|csrf_token|etag|jti|nonce|user_id|uuid)_\d+)\}$/;

/** A text of a transcript: what stands as it is, and the names between. */
export type TemplatePart = { readonly text: string } | { readonly name: string };

export function partsOf(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const { 0: name, index } of template.matchAll(NAME)) {
    if (index > from) parts.push({ text: template.slice(from, index) });
    parts.push({ name });
    from = index + name.length;
  }
  if (from < template.length) parts.push({ text: template.slice(from) });
  return parts;
}

/** A text with each name replaced. */
export function replaceNames(template: string, valueFor: (name: string) => string): string {
  return template.replace(NAME, (name) => valueFor(name));
}

/** Whether the text is one name and nothing else. */
export function isName(text: string): boolean {
  return partsOf(text).length === 1 && text.replace(NAME, '') === '';
}

/** `claim_token` of `{claim_token_1}`. */
export function kindOf(name: string): string {
  return name.slice(1, -1).replace(/_\d+$/, '');
}

/** Whether a value of that name belongs to one registration. */
export function isOfRegistration(name: string): boolean {
  return !SHARED.test(name);
}

/** Each text in a value of JSON, names of members left out. */
export function* textsIn(value: unknown): Iterable<string> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === 'string') yield each;
    else if (typeof each === 'object' && each !== null) open.push(...Object.values(each).reverse());
  }
}

export function namesIn(value: unknown): readonly string[] {
  const names: string[] = [];
  for (const text of textsIn(value)) names.push(...(text.match(NAME) ?? []));
  return names;
}
