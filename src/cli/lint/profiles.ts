/** What documents are asked for: a registration of agents, or OAuth alone, as MCP uses it. */
export const LINT_PROFILES = ['registration', 'mcp'] as const;
export type LintProfile = (typeof LINT_PROFILES)[number];
