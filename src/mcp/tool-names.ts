/** The tools in the order in which hosts list them. */
export const TOOL_NAMES = [
  'connect',
  'get_status',
  'discover',
  'read_skill',
  'list_directory',
  'register',
  'start_claim',
  'complete_claim',
  'await_claim',
  'sign_in',
  'await_sign_in',
  'call',
  'switch_registration',
  'leave',
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];
