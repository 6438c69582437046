import { NotApplicable } from '../engine/judge.ts';
import { NoAnswer } from '../http/no-answer.ts';
import type { ServiceWorld } from './service-world.ts';

/**
 * Where users are listed: whether the service takes somebody else, too, whom a trusted provider vouches for.
 * No source says that it has to. One ID-JAG shows it.
 * @returns Why nobody else can come; undefined where anybody can, or where the scenarios show it.
 */
export async function whyNoNewcomers(world: ServiceWorld): Promise<string | undefined> {
  if (!world.facts.identityTypes.includes('identity_assertion')) return undefined;
  try {
    const answer = await world.client.registerByIdJag(world.idJag(world.freshSubject()));
    if (!answer.refused || answer.status === 429) return undefined;
    return `The service takes no ID-JAG for an email that --accounts does not list (${answer.describe()}): list a pattern that it takes, such as new-{n}@example.com.`;
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof NotApplicable) return undefined;
    throw error;
  }
}
