import { DIALECT_IDS, type DialectId } from '../../protocol/constants.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { ServiceDialect } from './dialect.ts';
import { FIRST } from './first/first.ts';
import { FLAT } from './flat/flat.ts';
import { NESTED } from './nested/nested.ts';
import { QUIRK_NAMES, QUIRKS, type Quirk, type QuirkName } from './variants/index.ts';

/** Every dialect by its name. */
const DIALECTS: Readonly<Record<DialectId, ServiceDialect>> = {
  flat: FLAT,
  nested: NESTED,
  first: FIRST,
};

/** What a service is to speak, as it was asked for. */
export interface DialectChoice {
  readonly dialect?: string | undefined;
  readonly quirks?: readonly string[] | undefined;
}

/** Why it cannot be: the value, and a sentence that says what can be. */
export interface DialectProblem {
  readonly option: 'dialect' | 'quirks';
  readonly value: string;
  readonly description: string;
}

/** What is wrong with a choice of dialect and quirks; undefined when nothing is. */
export function dialectProblem({
  dialect = 'flat',
  quirks = [],
}: DialectChoice): DialectProblem | undefined {
  const wrong = (value: string, description: string) =>
    ({ option: 'quirks', value, description: description.trimStart() }) as const;
  if (!isDialect(dialect)) {
    const description = `${didYouMean(dialect, DIALECT_IDS)} Use ${DIALECT_IDS.join(', ')}.`;
    return { option: 'dialect', value: dialect, description: description.trimStart() };
  }
  const unknown = quirks.find((name) => !isQuirk(name));
  if (unknown !== undefined) {
    return wrong(
      unknown,
      `${didYouMean(unknown, QUIRK_NAMES)} docs/dialects.md lists them: ${QUIRK_NAMES.join(', ')}.`,
    );
  }
  const chosen = QUIRK_NAMES.filter((name) => quirks.includes(name));
  for (const [index, name] of chosen.entries()) {
    const { about, fits }: Quirk = QUIRKS[name];
    if (!fits.includes(dialect)) {
      return wrong(name, `It does not fit the dialect ${dialect}, but ${fits.join(' and ')}.`);
    }
    const other = chosen
      .slice(0, index)
      .find((each) => about !== undefined && (QUIRKS[each] as Quirk).about === about);
    if (other !== undefined) {
      return wrong(name, `It contradicts ${other}: both are about ${about}.`);
    }
  }
  return undefined;
}

/** The dialect with its quirks. Of a choice without a {@link dialectProblem}. */
export function servedDialect({ dialect = 'flat', quirks = [] }: DialectChoice): ServiceDialect {
  const right = isDialect(dialect) ? DIALECTS[dialect] : FLAT;
  return QUIRK_NAMES.filter((name) => quirks.includes(name)).reduce(
    (under, name) => QUIRKS[name].over(under),
    right,
  );
}

function isDialect(name: string): name is DialectId {
  return (DIALECT_IDS as readonly string[]).includes(name);
}

function isQuirk(name: string): name is QuirkName {
  return Object.hasOwn(QUIRKS, name);
}

export { QUIRK_NAMES, QUIRKS, type Quirk, type QuirkName };
