import { WireProblem } from '../../mock/http/problems.ts';

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

/**
 * The name of the JSONP callback of a query, `undefined` without one (wire contract §10).
 * @throws WireProblem for what is no name.
 */
export function readCallback(query: URLSearchParams): string | undefined {
  const [name, another] = query.getAll('callback');
  if (name === undefined) return undefined;
  const isReserved = name.split('.').some((part) => RESERVED.has(part));
  const isName = name.length <= MAX_LENGTH && NAME.test(name) && !isReserved;
  if (another === undefined && isName) return name;
  throw new WireProblem({
    surface: 'transport',
    code: 'invalid_request',
    status: 400,
    // Not echoed: the name is what an attacker chose.
    description: 'The callback is not the name of a function.',
    members: {},
    headers: {},
  });
}
