/** The tool that needs more scopes than the others. */
export const WRITING_TOOL = 'write_note';
