import { PROVIDER_FAULT_GROUPS } from '../../../mock-provider/faults/index.ts';
import { SERVICE_FAULT_GROUPS } from '../../../mock-service/faults/index.ts';
import { displayText } from '../../../protocol/text.ts';
import { nearest } from '../../../runtime/nearest.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { nextLine } from '../../shell/next-line.ts';
import type { Rendering } from '../../shell/output.ts';
import { RuntimeFiles } from '../../shell/runtime-files.ts';
import type { Style } from '../../terminal/style.ts';
import { table } from '../../terminal/table.ts';
import { wrap } from '../../terminal/wrap.ts';
import { callControl, findAllMocks, type Part } from './control.ts';

/** A fault as the controls of a mock list it. */
interface ListedFault {
  readonly name: string;
  /** `null`: it was given to the mock as an object, and exists in its process only. */
  readonly group: string | null;
  readonly description: string;
  readonly on: boolean;
}

/** The answer of `GET /__mock/faults`. */
export interface FaultsBody {
  readonly faults: readonly ListedFault[];
}

/** What is listed: the groups alone where neither is given. */
interface ListedFaults {
  readonly group: string | undefined;
  /** Words that the text of each has. */
  readonly search: string | undefined;
}

/** Faults of one mock. */
interface MockFaults {
  readonly mock: Part;
  /** `null`: none runs; these are the ones that it would have. */
  readonly issuer: string | null;
  readonly faults: readonly ListedFault[];
}

/** A description takes no more columns than this, however wide the screen is. */
const FOLDED_AT = 60;

/**
 * Lists the faults of the running mocks; while none runs, those that this program's mocks have. Of several, where
 * none is named, each has its own list.
 */
export async function listFaults(
  context: Context,
  { group, search }: ListedFaults,
): Promise<Outcome> {
  const all = (await ofRunning(context)) ?? BUILT_IN;
  if (group !== undefined)
    return context.output.result(presentFaults(inGroup(context, all, group)));
  if (search !== undefined) {
    const found = all.map((mock) => searched(mock, search));
    return context.output.result(presentFaults(found, search));
  }
  const example = nextLine(context, 'mock fault', '--list', 'claim').line;
  return context.output.result(presentGroups(all, example));
}

async function ofRunning(context: Context): Promise<readonly MockFaults[] | undefined> {
  const runs = new RuntimeFiles(context.world.environment).list().length > 0;
  if (!runs && context.options.service === undefined) return undefined;
  const mocks: MockFaults[] = [];
  for (const target of await findAllMocks(context)) {
    const { faults } = await callControl<FaultsBody>(context, target, '/faults');
    mocks.push({ mock: target.part, issuer: target.issuer, faults });
  }
  return mocks;
}

type Groups = Readonly<Record<string, Readonly<Record<string, { readonly description: string }>>>>;

const BUILT_IN: readonly MockFaults[] = [
  { mock: 'service', issuer: null, faults: flat(SERVICE_FAULT_GROUPS) },
  { mock: 'provider', issuer: null, faults: flat(PROVIDER_FAULT_GROUPS) },
];

function flat(groups: Groups): readonly ListedFault[] {
  return Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members).map(([name, { description }]) => ({
      ...{ name, group, description },
      on: false,
    })),
  );
}

/** The faults that have every word of the search in name, group or description, whatever its case. */
function searched({ faults, ...mock }: MockFaults, search: string): MockFaults {
  const words = search.toLowerCase().split(/\s+/);
  return {
    ...mock,
    faults: faults.filter(({ name, group, description }) => {
      const text = `${name} ${group ?? ''} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  };
}

/** @throws CliError (usage) for a group that none of the mocks has. */
function inGroup(
  context: Context,
  all: readonly MockFaults[],
  wanted: string,
): readonly MockFaults[] {
  const groups = [...new Set(all.flatMap(({ faults }) => faults.map(groupOf)))];
  if (!groups.includes(wanted)) {
    const near = nearest(wanted, groups) ?? [];
    throw usageError(`There is no group of faults "${displayText(wanted, 64)}".`, {
      hint: `The groups: ${groups.join(', ')}.`,
      next: nextLine(context, 'mock fault', '--list', ...[near].flat()),
    });
  }
  return all.map(({ faults, ...mock }) => ({
    ...mock,
    faults: faults.filter((fault) => groupOf(fault) === wanted),
  }));
}

/** The group of a fault. The faults that were given to a mock as objects are a group of their own. */
function groupOf({ group }: ListedFault): string {
  return group ?? 'own';
}

/** How many there are of each kind, a row a group. */
function presentGroups(mocks: readonly MockFaults[], example: string): Rendering {
  return {
    schema: 'mockFaults',
    wraps: true,
    json: () => ({ mocks }),
    human: (style) => {
      const blocks = mocks.map((mock) => {
        const rows = [...byGroup(mock.faults)].map(([group, members]) => {
          const on = members.filter((fault) => fault.on).map(({ name }) => name);
          const count = String(members.length).padStart(3);
          return [
            `  ${group}`,
            count,
            ...(on.length > 0 ? [style.red(`on: ${on.join(', ')}`)] : []),
          ];
        });
        return `${style.bold(nameIn(mocks, mock))}\n${table(rows)}`;
      });
      return [...blocks, `One group: ${style.cyan(example)}`].join('\n');
    },
  };
}

function presentFaults(mocks: readonly MockFaults[], search?: string): Rendering {
  return {
    schema: 'mockFaults',
    wraps: true,
    json: () => ({ mocks }),
    human: (style) => {
      const found = mocks.filter(({ faults }) => faults.length > 0);
      if (found.length === 0) return `No fault has "${displayText(search ?? '', 60)}" in its text.`;
      return found
        .flatMap((mock) =>
          [...byGroup(mock.faults)].map(([group, members]) =>
            [
              style.bold(`${nameIn(found, mock)}: ${group}`),
              ...members.map((fault) => faultText(style, fault)),
            ].join('\n'),
          ),
        )
        .join('\n\n');
    },
  };
}

/** The name of a mock in the list: with its address, where two of a kind are listed. */
function nameIn(mocks: readonly MockFaults[], of: MockFaults): string {
  return mocks.some((each) => each !== of && each.mock === of.mock)
    ? `${of.mock} ${of.issuer}`
    : of.mock;
}

function byGroup(faults: readonly ListedFault[]): ReadonlyMap<string, readonly ListedFault[]> {
  const groups = new Map<string, ListedFault[]>();
  for (const fault of faults) {
    groups.set(groupOf(fault), [...(groups.get(groupOf(fault)) ?? []), fault]);
  }
  return groups;
}

function faultText(style: Style, { name, description, on }: ListedFault): string {
  const text = wrap(displayText(description, 200), FOLDED_AT - 6);
  const below = text.split('\n').map((line) => `      ${style.dim(line)}`);
  return [`${on ? style.red('on') : '  '}  ${name}`, ...below].join('\n');
}
