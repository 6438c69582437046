import type { ServiceWorld } from '../service-world.ts';

/** Whether the skill file tells agents so: what a service documents surprises none of them. */
export async function isDocumented(world: ServiceWorld, words: RegExp): Promise<boolean> {
  const { skill } = world.facts;
  return skill !== undefined && words.test((await world.send(skill)).text);
}
