import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { callerMembers } from '../resource/resource.ts';
import type { LiveToken } from '../store/token-store.ts';

/** Answers one request of an MCP client that has been let in. */
export type McpHandler = (caller: LiveToken, request: Request, body: unknown) => Promise<Response>;

/**
 * @param name of the service, as a client shows it.
 * @param writingTool the name of the tool that needs more scopes than the others.
 */
export function mcpHandler(name: string, writingTool: string): McpHandler {
  return (caller, request, parsedBody) => {
    const handler = createMcpHandler(() => serverFor(name, writingTool, caller));
    return handler.fetch(request, { parsedBody });
  };
}

/** A server for one request: its tools speak of the one caller. */
function serverFor(name: string, writingTool: string, caller: LiveToken): McpServer {
  const server = new McpServer({ name, version: '1.0.0' });
  const told = (members: object) => ({
    content: [{ type: 'text' as const, text: JSON.stringify(members) }],
    structuredContent: { ...members },
  });
  server.registerTool(
    'who_am_i',
    { description: 'Says who calls: the user, the client, and the scopes of the access token.' },
    () => told(callerMembers(caller)),
  );
  server.registerTool(
    writingTool,
    { description: 'Writes nothing, and needs the scopes to do so.' },
    () => told({ written: true, ...callerMembers(caller) }),
  );
  return server;
}
