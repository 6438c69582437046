import type { AgentFile } from '../agent-task.ts';
import type { AgentWorld } from '../agent-world.ts';
import { holds } from './traffic.ts';

interface FoundFile extends AgentFile {
  /** The names of the secrets that are in it. */
  readonly names: readonly string[];
}

/** The files of the agent that hold one of these secrets. */
export async function filesWith(
  { harness }: AgentWorld,
  secrets: ReturnType<AgentWorld['secrets']>,
): Promise<readonly FoundFile[]> {
  const namesIn = (text: string) =>
    secrets.filter(({ value }) => holds(text, value)).map(({ name }) => name);
  return (await harness.files())
    .map((file) => ({ ...file, names: namesIn(file.text) }))
    .filter(({ names }) => names.length > 0);
}
