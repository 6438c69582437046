import {
  diffMarkdown,
  diffReports,
  type PastReport,
  pastReport,
  readReport,
} from '../../conformance/compare/index.ts';
import { Catalog } from '../../conformance/engine/catalog.ts';
import { drawSeed } from '../../conformance/engine/invented.ts';
import type { Role } from '../../conformance/engine/model.ts';
import { readRequirements } from '../../conformance/engine/read-requirements.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { readNamedFile } from '../shell/read-named-file.ts';
import { checkWritable, writeText } from '../shell/write-text.ts';
import { articled } from './articled.ts';
import type { UserOptions } from './choose-user.ts';
import { presentDiff } from './diff-text.ts';
import { judgeWhole, type SelectOptions } from './judge-and-report.ts';
import { providerJudging } from './provider.ts';
import { serviceJudging } from './service.ts';
import { type TargetJudging, withUser } from './target.ts';
import type { AccountOptions } from './users.ts';

export interface ConformanceDiffOptions extends SelectOptions, UserOptions, AccountOptions {
  readonly role?: Exclude<Role, 'agent'>;
  readonly seed?: number;
  readonly safe?: true;
  /** Milliseconds. */
  readonly timeout: number;
  readonly patience: number;
  /** False: no control API is looked for. */
  readonly control?: boolean;
  readonly providerIssuer?: string;
  readonly providerKey?: string;
  readonly providerPort?: number;
  readonly mintCommand?: string;
  readonly clientId: string;
  /** A file that the comparison is written to as Markdown, too. */
  readonly markdown?: string;
  readonly verbose?: true;
}

/** Two reports, or what is judged now at a URL: what changed from the first to the second. */
export async function conformanceDiff(
  context: Context,
  [first, second]: readonly [string, string],
  options: ConformanceDiffOptions,
): Promise<Outcome> {
  if (options.markdown !== undefined) checkWritable(options.markdown);
  const catalog = new Catalog(readRequirements());
  const sources = [
    await openSource(context, first, catalog),
    await openSource(context, second, catalog),
  ] as const;
  const role = roleOf(sources, options.role);
  const [seed = drawSeed(context.world.random)] = [
    options.seed,
    ...sources.map(({ report }) => report?.seed),
  ].filter((each) => each !== undefined);
  const judgings = [];
  for (const { name, report } of sources) {
    judgings.push(report ? undefined : await judgingOf(context, options, role, name));
  }
  const reports: PastReport[] = [];
  for (const [index, { report }] of sources.entries()) {
    const judging = judgings[index];
    if (judging === undefined) reports.push(...(report ? [report] : []));
    else reports.push(await judgeNow(context, options, judging, seed));
  }
  const [a, b] = reports;
  if (a === undefined || b === undefined) throw new Error('There are two sources.');
  const diff = diffReports(a, b);
  if (options.markdown !== undefined) writeText(options.markdown, diffMarkdown(diff));
  context.output.result(presentDiff(diff, options.verbose === true));
  return diff.worse ? 'failed' : 'done';
}

/** A report that was read, or a URL to judge. */
interface Source {
  /** As typed. */
  readonly name: string;
  readonly report?: PastReport;
}

async function openSource(context: Context, name: string, catalog: Catalog): Promise<Source> {
  if (/^https?:\/\//i.test(name)) return { name };
  const text = (await readNamedFile(name, context.interrupt.signal)).toString('utf8');
  try {
    return { name, report: readReport(text, catalog) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(`${name} ${error.message}`, {
      code: 'bad_report',
      hint: 'Name a file of --report json=FILE, the output of --json, or a URL to judge.',
      cause: error,
    });
  }
}

/** @throws CliError (usage) for reports of two roles, and for a URL where an agent was judged. */
function roleOf(sources: readonly Source[], asked: ConformanceDiffOptions['role']): Role {
  const read = sources.flatMap(({ name, report }) => (report ? [{ name, role: report.role }] : []));
  const [first] = read;
  const role = asked ?? first?.role ?? 'service';
  const other = read.find((each) => each.role !== role);
  if (other !== undefined) {
    const than = asked === undefined ? `${first?.name} of` : '--role says';
    throw usageError(
      `${other.name} is a report of ${articled(other.role)}, ${than} ${articled(role)}.`,
      {
        code: 'other_role',
        hint: 'Compare two reports of the same role.',
      },
    );
  }
  const url = sources.find(({ report }) => report === undefined);
  if (role === 'agent' && url !== undefined) {
    throw usageError(
      `${url.name} cannot be judged: the other report is of an agent, which is a command.`,
      {
        code: 'other_role',
        hint: 'Judge it with conformance agent --report json=FILE -- COMMAND, and name that file.',
      },
    );
  }
  return role;
}

function judgingOf(
  context: Context,
  { control, ...given }: ConformanceDiffOptions,
  role: Role,
  url: string,
): Promise<TargetJudging> {
  const options = { ...given, ...(control === false && { control }) };
  return role === 'provider'
    ? providerJudging(context, options, url)
    : serviceJudging(context, options, url);
}

async function judgeNow(
  context: Context,
  options: ConformanceDiffOptions,
  judging: TargetJudging,
  seed: number,
): Promise<PastReport> {
  return pastReport(await judgeWhole(context, options, withUser(context, options, judging), seed));
}
