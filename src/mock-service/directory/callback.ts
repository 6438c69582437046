/** Longer names may be payloads (Rosetta Flash). */
const MAX_LENGTH = 64;
const NAME = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/** Words that are no function's name in any mode of ECMAScript, or that a script must not redefine. */
const RESERVED: ReadonlySet<string> = new Set(
  `Infinity NaN arguments await break case catch class const continue debugger default delete do else enum eval
   export extends false finally for function if implements import in instanceof interface let new null
   package private protected public return static super switch this throw true try typeof undefined var void
   while with yield`.split(/\s+/),
);

/** The rules for the name of a JSONP callback. */
export interface CallbackRules {
  readonly length: (name: string) => boolean;
  readonly spelling: (name: string) => boolean;
  readonly unreserved: (name: string) => boolean;
}

export const CALLBACK_RULES: CallbackRules = {
  length: (name) => name.length <= MAX_LENGTH,
  spelling: (name) => NAME.test(name),
  unreserved: (name) => !name.split('.').some((part) => RESERVED.has(part)),
};

/** The JSONP callback of a query: a name, `undefined` without one, `'refused'` when it is none (wire contract §10). */
export function readCallback(
  query: URLSearchParams,
  { length, spelling, unreserved }: CallbackRules,
): { readonly name: string } | 'refused' | undefined {
  const [name, another] = query.getAll('callback');
  if (name === undefined) return undefined;
  const isName = length(name) && spelling(name) && unreserved(name);
  return another === undefined && isName ? { name } : 'refused';
}
