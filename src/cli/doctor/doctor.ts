import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';
import type { Check, CheckGroup, CheckStatus } from './check.ts';
import { checkEnvironment } from './check-environment.ts';
import { checkNetwork } from './check-network.ts';
import { checkPlaces } from './check-places.ts';
import { checkProgram } from './check-program.ts';
import { checkService } from './check-service.ts';

/** Checks everything that a command relies on. Writes nothing, and signs in nowhere. */
export async function doctor(context: Context, url: string | undefined): Promise<Outcome> {
  const network = await checkNetwork(context);
  const groups: CheckGroup[] = [
    checkProgram(),
    await checkPlaces(context),
    checkEnvironment(context),
    network,
  ];
  if (network.proxyFor !== undefined) {
    groups.push(await checkService(context, url, network.proxyFor));
  }
  context.output.result(presentDoctor(groups));
  return outcomeOf(groups);
}

/** 7 when the network alone failed. */
function outcomeOf(groups: readonly CheckGroup[]): Outcome {
  const failures = groups.flatMap(({ checks }) => checks.filter(({ status }) => status === 'fail'));
  if (failures.length === 0) return 'done';
  return failures.every(({ outcome }) => outcome === 'network') ? 'network' : 'failed';
}

function presentDoctor(groups: readonly CheckGroup[]): Rendering {
  const checks = groups.flatMap((group) => group.checks);
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const worst = count('fail') > 0 ? 'fail' : count('warn') > 0 ? 'warn' : 'ok';
  return {
    schema: 'doctor',
    json: () => ({
      status: worst,
      checks: checks.map(({ id, status, summary, hint, next, details }) => ({
        id,
        status,
        summary,
        hint: hint ?? null,
        next: next ?? null,
        details: details ?? {},
      })),
    }),
    human: (style) =>
      [
        ...groups.map(({ title, checks }) =>
          [style.bold(title), ...checks.map((check) => checkText(style, check)), ''].join('\n'),
        ),
        ENDINGS[worst](style, count('fail'), count('warn')),
      ].join('\n'),
  };
}

const ENDINGS: Readonly<
  Record<CheckStatus, (style: Style, fails: number, warnings: number) => string>
> = {
  ok: ({ green }) => `${green('✓')} No problems found.`,
  warn: ({ yellow }, _fails, warnings) =>
    `${yellow('!')} No failures, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
  fail: ({ red }, fails) => `${red('✗')} ${fails} ${fails === 1 ? 'check' : 'checks'} failed.`,
};

function checkText(style: Style, { status, summary, hint, next }: Check): string {
  const mark = {
    ok: style.green('✓'),
    warn: style.yellow('!'),
    fail: style.red('✗'),
  }[status];
  const lines = [`  ${mark} ${summary}`];
  if (hint !== undefined) lines.push(`    ${hint}`);
  if (next !== undefined && status !== 'ok') lines.push(`    Next: ${style.cyan(next.line)}`);
  return lines.join('\n');
}
