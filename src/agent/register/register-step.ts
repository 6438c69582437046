import { type IdentityType, withoutQuery } from '../../protocol/index.ts';
import type { Step } from '../next-step.ts';

/**
 * The command that registers at an address by the lightest of the types that are offered there;
 * `undefined` where this agent knows none of them.
 */
export function registerStep(address: string, offered: readonly IdentityType[]): Step | undefined {
  const how: readonly (readonly [IdentityType, readonly string[]])[] = [
    ['anonymous', []],
    ['service_auth', ['--email', 'EMAIL']],
    ['identity_assertion', ['--provider', 'URL']],
  ];
  const [, args] = how.find(([type]) => offered.includes(type)) ?? [];
  return args && { command: 'register', args: [withoutQuery(address), ...args] };
}
