export { serveMcp, toolsOf } from './serve-mcp.ts';
export { createStdioTransport } from './stdio-transport.ts';
export type { AnyTool } from './tool.ts';
export type { McpOptions } from './world/mcp-world.ts';
