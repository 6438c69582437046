import type { Faults } from '../../mock/index.ts';
import type { ServiceFault } from '../faults/index.ts';

/** Longer names are no names but payloads (Rosetta Flash). */
const MAX_LENGTH = 64;
const NAME = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/** Words that are no function's name in any mode of ECMAScript, or that a script must not redefine. */
const RESERVED: ReadonlySet<string> = new Set(
  `Infinity NaN arguments await break case catch class const continue debugger default delete do else enum eval
   export extends false finally for function if implements import in instanceof interface let new null
   package private protected public return static super switch this throw true try typeof undefined var void
   while with yield`.split(/\s+/),
);

/** The JSONP callback of an address: a name, `undefined` without one, `'refused'` when it is none (wire.md §10). */
export function readCallback(
  query: URLSearchParams,
  faults: Faults<ServiceFault>,
): { readonly name: string } | 'refused' | undefined {
  const [name, another] = query.getAll('callback');
  if (name === undefined) return undefined;
  if (faults.has('callbackUnchecked')) return { name };
  const longest = faults.has('callbackLong') ? Number.POSITIVE_INFINITY : MAX_LENGTH;
  return another === undefined && isCallbackName(name, longest) ? { name } : 'refused';
}

function isCallbackName(name: string, longest: number): boolean {
  return (
    name.length <= longest && NAME.test(name) && !name.split('.').some((part) => RESERVED.has(part))
  );
}
