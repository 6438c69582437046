export { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
export { serveMcp } from './serve-mcp.ts';
export type { AnyTool } from './tool.ts';
export { toolsOf } from './tools/all-tools.ts';
export type { McpOptions } from './world/mcp-world.ts';
