import { displayJson, displayText } from '../../../protocol/text.ts';
import { openTools } from '../../prompts/open-tools.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import type { Rendering } from '../../shell/output.ts';
import { isSource, readFromSource } from '../../shell/read-argument.ts';
import type { Style } from '../../terminal/style.ts';
import { type JudgedIdJag, judgeIdJag } from './judge-id-jag.ts';
import type { Judged } from './rule.ts';

export interface IdJagOptions {
  /** `@FILE` or `-`. */
  readonly idJag: string;
  readonly audience?: string;
  readonly client?: string;
  readonly resource?: readonly string[];
  readonly keys?: true;
}

/** Judges one ID-JAG. Sends nothing; with `--keys` it asks the issuer for its keys. */
export async function lintIdJag(context: Context, options: IdJagOptions): Promise<Outcome> {
  const { idJag: source, audience, client, resource = [], keys } = options;
  if (!isSource(source)) {
    throw usageError('--id-jag takes @FILE or -, never the ID-JAG itself.', {
      hint: 'Write it to a file that others cannot read, or pipe it in.',
    });
  }
  const text = (await readFromSource(context, source)).toString('utf8').trim();
  if (text === '') throw usageError('What --id-jag names is empty.');
  const now = context.world.clock.now();
  const read = judgeIdJag(text, { audience, client, resources: resource, now });
  const { claims } = read;
  const judged =
    keys && claims !== undefined
      ? [...read.judged, await signatureOf(context, text, claims['iss'])]
      : read.judged;
  context.output.result(present({ ...read, judged }));
  return judged.some(({ verdict }) => verdict === 'fail') ? 'failed' : 'done';
}

async function signatureOf(context: Context, idJag: string, issuer: unknown): Promise<Judged> {
  const { verifySignature } = await import('./verify-signature.ts');
  return verifySignature(await openTools(context), idJag, issuer);
}

function present({ header, claims, judged }: JudgedIdJag): Rendering {
  const count = (verdict: Judged['verdict']) =>
    judged.filter((each) => each.verdict === verdict).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  const signature = judged.find(({ part }) => part === 'signature');
  return {
    schema: 'lintIdJag',
    wraps: true,
    json: () => ({
      header: header ?? null,
      claims: claims ?? null,
      signature: signature?.verdict ?? null,
      checks: judged.map(({ part, name, verdict, message, instead, source }) => ({
        part,
        name,
        verdict,
        message,
        instead: instead ?? null,
        source,
      })),
      failures,
      warnings,
    }),
    human: (style) =>
      [
        ...judged.flatMap((one, at) => [
          ...(one.part === judged[at - 1]?.part ? [] : [style.bold(TITLES[one.part])]),
          ...linesOf(style, one),
        ]),
        '',
        `${markOf(style, failures > 0 ? 'fail' : warnings > 0 ? 'warn' : 'pass')} ${summary(failures, warnings)}`,
        ...(signature === undefined && claims !== undefined
          ? ['  The signature was not verified: --keys asks the issuer for its keys.']
          : []),
      ].join('\n'),
  };
}

const TITLES = {
  token: 'ID-JAG',
  header: 'Header',
  claims: 'Claims',
  signature: 'Signature',
} as const satisfies Record<Judged['part'], string>;

/** What passes takes one line. */
function linesOf(style: Style, judged: Judged): readonly string[] {
  const { name, verdict, value, message, instead, source } = judged;
  const shown =
    value === undefined ? '' : ` ${displayText(displayJson(JSON.stringify(value)), 160)}`;
  const named = `  ${markOf(style, verdict)} ${displayText(name, 60)}${shown}`;
  if (verdict === 'pass') return [`${named}  ${style.dim(message)}`];
  return [
    named,
    `      ${message}`,
    ...(instead === undefined ? [] : [`      Instead: ${instead}`]),
    `      ${style.dim(source)}`,
  ];
}

function markOf(style: Style, verdict: Judged['verdict']): string {
  return { pass: style.green('✓'), warn: style.yellow('!'), fail: style.red('✗') }[verdict];
}

function summary(failures: number, warnings: number): string {
  if (failures + warnings === 0) return 'No problems found.';
  const counted = [
    failures > 0 ? `${failures} failure${failures === 1 ? '' : 's'}` : '',
    warnings > 0 ? `${warnings} warning${warnings === 1 ? '' : 's'}` : '',
  ];
  return `${counted.filter((text) => text !== '').join(', ')}.`;
}
