import type { Role } from '../../conformance/engine/model.ts';

/** `an agent`, `a service`. */
export function articled(role: Role): string {
  return `${role === 'agent' ? 'an' : 'a'} ${role}`;
}
