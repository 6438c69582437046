import type { ToolAnnotations } from '@modelcontextprotocol/server';

/** Of a tool that acts at a service or a provider, and takes nothing away. */
export const ACTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** The same, where calling again does no more than calling once. */
export const ACTS_ONCE: ToolAnnotations = { ...ACTS, idempotentHint: true };
