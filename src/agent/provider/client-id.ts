/** The agent is a public client under one well-known name at every provider (wire.md §9). */
export const AGENT_CLIENT_ID = 'agent-auth';
