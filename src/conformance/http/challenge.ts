/** A challenge of a `WWW-Authenticate` field (RFC 9110 §11.6.1). */
export interface Challenge {
  /** The scheme in lower case. */
  readonly scheme: string;
  readonly token68?: string;
  /** Parameters in the order of their arrival; names in lower case; a name may stand twice when it was sent twice. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const SCHEME = new RegExp(`[\\s,]*(${TOKEN})`, 'y');
const TOKEN68 = /[ \t]+([A-Za-z0-9._~+/-]+=*)[ \t]*(?=,|$)/y;
const PARAMETER = new RegExp(
  `[\\s,]*(${TOKEN})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}))[ \\t]*(?=,|$)`,
  'y',
);

/** Reads a field by the grammar. Undefined when it does not follow it. */
export function readChallenges(field: string): readonly Challenge[] | undefined {
  const challenges: Challenge[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(field);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match;
  };
  while (field.slice(at).replace(/[\s,]/g, '') !== '') {
    const scheme = take(SCHEME)?.[1];
    if (scheme === undefined) return undefined;
    const parameters: [string, string][] = [];
    const token68 = take(TOKEN68)?.[1];
    if (token68 === undefined) {
      if (at < field.length && !/[\s,]/.test(field[at] ?? '')) return undefined;
      for (let match = take(PARAMETER); match; match = take(PARAMETER)) {
        const [, name = '', quoted, plain = ''] = match;
        parameters.push([name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain]);
      }
    }
    challenges.push({
      scheme: scheme.toLowerCase(),
      ...(token68 === undefined ? {} : { token68 }),
      parameters,
    });
  }
  return challenges;
}

/** The first value of a parameter in the challenges of a scheme. */
export function challengeParameter(
  field: string | undefined,
  scheme: string,
  name: string,
): string | undefined {
  return readChallenges(field ?? '')
    ?.find((challenge) => challenge.scheme === scheme)
    ?.parameters.find(([other]) => other === name)?.[1];
}
