import { NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';

/**
 * The identity_assertion of a new registration that needs no user: what scenarios about tokens begin
 * with.
 * @throws NotApplicable when the service offers none; CannotTest when it fails.
 */
export async function someAssertion(world: ServiceWorld): Promise<string> {
  return (await someIdentity(world)).assertion;
}

/** An identity_assertion, and the answer that gave it. */
interface GivenAssertion {
  readonly assertion: string;
  readonly answer: Answer;
}

async function someIdentity(world: ServiceWorld): Promise<GivenAssertion> {
  const { identityTypes } = world.facts;
  if (identityTypes.includes('anonymous')) {
    const answer = await world.client.registerAnonymous();
    const what = 'an anonymous registration';
    return { answer, assertion: world.must(answer, 'identity_assertion', what) };
  }
  if (!identityTypes.includes('identity_assertion')) {
    throw new NotApplicable(
      identityTypes.length === 0
        ? 'The metadata lists no registration type in agent_auth.identity_types_supported.'
        : 'The service offers no registration without a user.',
    );
  }
  const { idJag } = await world.acceptableIdJag();
  const answer = await world.client.registerByIdJag(idJag);
  const assertion = world.must(answer, 'identity_assertion', 'a registration by ID-JAG');
  return { answer, assertion };
}

/**
 * The identity_assertion of a new registration with the widest access that needs no user: by ID-JAG,
 * where the service accepts those of the suite.
 */
export async function fullAssertion(world: ServiceWorld): Promise<string> {
  return (await fullIdentity(world)).assertion;
}

/** The same, with the answer that gave it. */
export async function fullIdentity(world: ServiceWorld): Promise<GivenAssertion> {
  if (!world.facts.identityTypes.includes('identity_assertion')) return someIdentity(world);
  try {
    const { idJag } = await world.acceptableIdJag();
    const answer = await world.client.registerByIdJag(idJag);
    const assertion = answer.string('identity_assertion');
    return assertion === undefined ? someIdentity(world) : { answer, assertion };
  } catch (error) {
    if (error instanceof NotApplicable) return someIdentity(world);
    throw error;
  }
}

/** The body of a registration that the service offers. @throws NotApplicable when it needs an ID-JAG. */
export function someRegistration(world: ServiceWorld): Readonly<Record<string, string>> {
  const { identityTypes } = world.facts;
  if (identityTypes.includes('anonymous')) return { type: 'anonymous' };
  if (identityTypes.includes('service_auth')) {
    return { type: 'service_auth', login_hint: world.userEmail() };
  }
  throw new NotApplicable('The service offers no registration without an ID-JAG.');
}
