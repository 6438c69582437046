import type { AnyTool } from '../tool.ts';
import type { McpOptions } from '../world/mcp-world.ts';
import { call } from './call.ts';
import { awaitClaim, completeClaim, startClaim } from './claim.ts';
import { connect } from './connect.ts';
import { discover, readSkill } from './discover.ts';
import { listDirectory } from './list-directory.ts';
import { register } from './register.ts';
import { getStatus, leave, switchRegistration } from './registrations.ts';
import { awaitSignIn, signIn } from './sign-in.ts';

/** The tools in the order in which hosts list them. */
const ALL_TOOLS: readonly AnyTool[] = [
  connect,
  getStatus,
  discover,
  readSkill,
  listDirectory,
  register,
  startClaim,
  completeClaim,
  awaitClaim,
  signIn,
  awaitSignIn,
  call,
  switchRegistration,
  leave,
];

/** The tools that a server of these options has. */
export function toolsOf({ readOnly = false }: Pick<McpOptions, 'readOnly'>): readonly AnyTool[] {
  return ALL_TOOLS.filter(({ isReading }) => isReading || !readOnly);
}
