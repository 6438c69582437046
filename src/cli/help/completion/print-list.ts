import { isLoopbackHost } from '../../../protocol/urls.ts';
import { readBody } from '../../../runtime/read-body.ts';
import { startDeadline } from '../../../runtime/system-deadline.ts';
import type { Registration } from '../../mock/controls/registrations.ts';
import { type RunningMock, RuntimeFiles } from '../../shell/runtime-files.ts';
import type { World } from '../../shell/world.ts';
import { type AskedList, isAskedList } from './completion-tree.ts';

/** Milliseconds. Whoever presses Tab waits for it. */
const PATIENCE = 500;
const LIMIT = 1024 * 1024;

/**
 * `agent-auth __complete LIST`, for the completion scripts: prints what can be typed, a line each. It is
 * quick, and silent about all that fails.
 */
export async function printList(world: World, list: string | undefined): Promise<void> {
  if (!isAskedList(list)) return;
  const ids = await LISTS[list](world).catch(() => []);
  // bash expands what it completes: an id that holds `$(…)` would be run.
  const plain = ids.filter((id) => /^[A-Za-z0-9][\w.~-]{0,199}$/.test(id));
  if (plain.length > 0) world.streams.stdout.write(`${plain.join('\n')}\n`);
}

const LISTS: Readonly<Record<AskedList, (world: World) => Promise<readonly string[]>>> = {
  registrations: async ({ openStore }) => {
    const { services } = await (await openStore()).read();
    return services.flatMap(({ registrations }) => registrations.map(({ id }) => id));
  },
  'mock-registrations': async (world) => {
    const mocks = new RuntimeFiles(world.environment).list();
    return (await Promise.all(mocks.map((mock) => idsAt(world, mock).catch(() => [])))).flat();
  },
};

/** What is registered at a mock of this machine that can be asked without a certificate of its own. */
async function idsAt(world: World, { control }: RunningMock): Promise<readonly string[]> {
  const origin = control?.service;
  if (!control || !origin?.startsWith('http:') || !isLoopbackHost(new URL(origin).hostname)) {
    return [];
  }
  const { end, signal } = startDeadline(PATIENCE);
  try {
    const fetch = await world.loadFetch({ ca: [], proxyFor: () => undefined });
    const headers = { authorization: `Bearer ${control.token}` };
    const response = await fetch(`${origin}/__mock/registrations`, { headers, signal });
    const read = await readBody(response, LIMIT);
    if (!read.ok) return [];
    const { registrations }: { registrations: readonly Registration[] } = JSON.parse(read.text);
    return registrations.map((each) => each.registration_id);
  } finally {
    end();
  }
}
