import type { AnyTool } from '../tool.ts';
import { TOOL_NAMES, type ToolName } from '../tool-names.ts';
import { call } from './call.ts';
import { awaitClaim, completeClaim, startClaim } from './claim.ts';
import { connect } from './connect.ts';
import { discover, readSkill } from './discover.ts';
import { listDirectory } from './list-directory.ts';
import { register } from './register.ts';
import { getStatus, leave, switchRegistration } from './registrations.ts';
import { awaitSignIn, signIn } from './sign-in.ts';

const BY_NAME: Readonly<Record<ToolName, AnyTool>> = {
  connect,
  get_status: getStatus,
  discover,
  read_skill: readSkill,
  list_directory: listDirectory,
  register,
  start_claim: startClaim,
  complete_claim: completeClaim,
  await_claim: awaitClaim,
  sign_in: signIn,
  await_sign_in: awaitSignIn,
  call,
  switch_registration: switchRegistration,
  leave,
};

/** The tools in the order in which hosts list them. */
export const ALL_TOOLS: readonly AnyTool[] = TOOL_NAMES.map((name) => BY_NAME[name]);
