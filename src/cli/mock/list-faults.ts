import { PROVIDER_FAULT_GROUPS } from '../../mock-provider/faults/index.ts';
import { SERVICE_FAULT_GROUPS } from '../../mock-service/faults/index.ts';
import { displayText } from '../../protocol/text.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { RuntimeFiles } from '../shell/runtime-files.ts';
import type { Style } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { callControl } from './controls/call-control.ts';
import { findAllMocks } from './controls/find-mocks.ts';
import { type ListedFault, type MockFaults, readFaults } from './listed-fault.ts';

/**
 * Lists the faults of the running mocks; while none runs, those that this program's mocks have. Of several, where
 * none is named, each has its own list.
 */
export async function listFaults(context: Context, search: string | undefined): Promise<Outcome> {
  const all = (await ofRunning(context)) ?? BUILT_IN;
  const mocks = search === undefined ? all : all.map((mock) => searched(mock, search));
  context.output.result(presentFaults(mocks, search));
  return 'done';
}

async function ofRunning(context: Context): Promise<readonly MockFaults[] | undefined> {
  const runs = new RuntimeFiles(context.world.environment).list().length > 0;
  if (!runs && context.options.service === undefined) return undefined;
  const mocks: MockFaults[] = [];
  for (const target of await findAllMocks(context)) {
    const faults = readFaults(await callControl(context, target, '/faults'));
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

/** Those that have every word of the search in name, group or description, whatever its case. */
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

function presentFaults(mocks: readonly MockFaults[], search: string | undefined): Rendering {
  return {
    schema: 'mockFaults',
    wraps: true,
    json: () => ({ mocks }),
    human: (style) => {
      const found = mocks.filter(({ faults }) => faults.length > 0);
      if (found.length === 0) return `No fault has "${displayText(search ?? '', 60)}" in its text.`;
      const named = (of: MockFaults) =>
        found.some((each) => each !== of && each.mock === of.mock)
          ? `${of.mock} ${of.issuer}`
          : of.mock;
      return found.flatMap((mock) => groupTexts(style, mock, named(mock))).join('\n\n');
    },
  };
}

function groupTexts(style: Style, { faults }: MockFaults, name: string): readonly string[] {
  const groups = new Map<string | null, ListedFault[]>();
  for (const fault of faults) {
    const members = groups.get(fault.group);
    if (members === undefined) groups.set(fault.group, [fault]);
    else members.push(fault);
  }
  return [...groups].map(([group, members]) => {
    const heading = style.bold(`${name}: ${group ?? 'defined in its own process'}`);
    const rows = members.map(({ name, description, on }) => [
      on ? style.red('on') : '  ',
      name,
      style.dim(displayText(description, 200)),
    ]);
    return `${heading}\n${table(rows)}`;
  });
}
