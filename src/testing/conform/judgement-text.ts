import type { Report } from '../../conformance/engine/model.ts';
import {
  causeSections,
  scoreLine,
  staleText,
  verdictLine,
  verdictSentence,
} from '../../conformance/reporters/report-view.ts';
import { detailedCause } from '../../conformance/reporters/terminal/cause-lines.ts';
import { paintWith } from '../../conformance/reporters/terminal/paint.ts';
import { parseDuration } from '../../protocol/index.ts';
import { JUDGE_OPTIONS } from './refuse-unknown.ts';

/** Columns. */
const WIDTH = 100;
/** How many of a section are told. */
const MOST_TOLD = 7;

/** A matcher hands over a text alone. */
const REST = 'report.causes of what `judge` of agent-auth/testing returns, with the same options';

const OF_PROGRAM =
  'What begins with -- is an option of `agent-auth conformance service URL` alone: judge it there.';

/** What the suite asks for where something could not be judged, as `judge` takes it. */
interface Advice {
  readonly providers: string;
  readonly clock: string;
}

const TO_URL: Advice = {
  providers: 'see providerPort, control',
  clock: 'move the clock (control)',
};
const TO_APP: Advice = {
  providers: 'take `providers` from what the function that builds it is given',
  clock: 'take `clock` from what the function that builds it is given',
};

/**
 * The text for people: the verdict, and what is wrong or was not judged, what matters most first.
 * @param isApp An application is judged, not a service that runs.
 */
export function judgementText(judged: Report, isApp: boolean): string {
  const advice = isApp ? TO_APP : TO_URL;
  const { causes: found, verdict } = rewritten(
    { causes: judged.causes, verdict: judged.verdict },
    (text, name) =>
      // An application is given the providers: no port has anything judged.
      isApp && name === 'option' && text === '--provider-port'
        ? undefined
        : inWordsOfOptions(text, advice),
  );
  const report = { ...judged, causes: found, verdict };
  const stale = staleText(report)?.replace(/: --write-baseline .*/, '.');
  const paint = paintWith(false);
  const causes = causeSections(report)
    .filter(({ kind }) => kind !== 'warning')
    .flatMap(({ causes, heading }) => {
      // What was served is gone: the line that repeats a request is of no use.
      const shown = causes
        .slice(0, MOST_TOLD)
        .flatMap(({ repeat: _, ...cause }) => detailedCause(cause, paint, WIDTH));
      const left = causes.length - MOST_TOLD;
      return ['', heading, ...shown, ...(left > 0 ? [`  and ${left} more: ${REST}`] : [])];
    });
  const told = [
    verdictSentence(report),
    ...(stale === undefined ? [] : [stale]),
    `${scoreLine(report)}. ${verdictLine(report)}.`,
    ...causes,
  ];
  return [
    ...told,
    '',
    ...(told.some((line) => /(?<!\S)--[a-z]/.test(line)) ? [OF_PROGRAM] : []),
    `Again with the same names and values: { seed: ${report.seed} }.`,
  ].join('\n');
}

/** The suite names options of the program. What `judge` does not have keeps its dashes. */
function inWordsOfOptions(text: string, { clock, providers }: Advice): string {
  return text
    .replace('see --provider-issuer, --provider-port, --control', providers)
    .replace('move the clock (--control)', clock)
    .replace('--client-id ID --client-secret @FILE', 'clients: [{ id, secret }]')
    .replace('--client-id', 'clients')
    .replace(/--patience (\w+)/g, (_option, wait: string) => `patience: ${parseDuration(wait)}`)
    .replace(/--([a-z]+(?:-[a-z]+)*)/g, (flag, name: string) => {
      const own = name.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
      return Object.hasOwn(JUDGE_OPTIONS, own) ? own : flag;
    });
}

/** The same with every text in it rewritten, or left out. */
function rewritten<T>(value: T, rewrite: (text: string, name: string) => string | undefined): T {
  const copy: unknown = JSON.parse(JSON.stringify(value), (name, each: unknown) =>
    typeof each === 'string' ? rewrite(each, name) : each,
  );
  return copy as T;
}
