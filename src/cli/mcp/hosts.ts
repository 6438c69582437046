import type { HostName } from './host-names.ts';

/** How a host is told to start this server. */
export interface Host {
  readonly title: string;
  /** Where its configuration is. */
  readonly file: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /** The configuration, or the part of it that is about this server. */
  readonly write: (args: readonly string[]) => string;
  /** A command of the host that writes it. */
  readonly command?: (args: readonly string[]) => string;
}

const NAME = 'agent-auth';

/** What every host starts: the package and its optional peer, installed by npx where they are not there. */
export const COMMAND = 'npx';

/** @param options of `agent-auth mcp`. */
export function argsOf(options: readonly string[]): readonly string[] {
  return ['-y', '-p', NAME, '-p', '@modelcontextprotocol/server', NAME, 'mcp', ...options];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const server = (args: readonly string[]) => ({ command: COMMAND, args });
const mcpServers = (args: readonly string[]) => json({ mcpServers: { [NAME]: server(args) } });
const shellLine = (words: readonly string[]) => words.join(' ');

export const HOSTS: Readonly<Record<HostName, Host>> = {
  'claude-code': {
    title: 'Claude Code',
    file: '.mcp.json in the project',
    format: 'json',
    write: mcpServers,
    command: (args) => shellLine(['claude', 'mcp', 'add', NAME, '--', COMMAND, ...args]),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    format: 'json',
    write: mcpServers,
  },
  codex: {
    title: 'Codex CLI',
    file: '~/.codex/config.toml',
    format: 'toml',
    write: (args) =>
      [
        `[mcp_servers.${NAME}]`,
        `command = ${JSON.stringify(COMMAND)}`,
        `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
      ].join('\n'),
    command: (args) => shellLine(['codex', 'mcp', 'add', NAME, '--', COMMAND, ...args]),
  },
  cursor: {
    title: 'Cursor',
    file: '~/.cursor/mcp.json, or .cursor/mcp.json in the project',
    format: 'json',
    write: mcpServers,
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    file: '~/.gemini/settings.json',
    format: 'json',
    write: mcpServers,
  },
  goose: {
    title: 'Goose',
    file: '~/.config/goose/config.yaml',
    format: 'yaml',
    write: (args) =>
      [
        'extensions:',
        `  ${NAME}:`,
        `    name: ${NAME}`,
        '    type: stdio',
        '    enabled: true',
        `    cmd: ${COMMAND}`,
        '    args:',
        ...args.map((arg) => `      - ${JSON.stringify(arg)}`),
        '    timeout: 300',
      ].join('\n'),
  },
  vscode: {
    title: 'VS Code',
    file: '.vscode/mcp.json in the project',
    format: 'json',
    write: (args) => json({ servers: { [NAME]: { type: 'stdio', ...server(args) } } }),
  },
  windsurf: {
    title: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    format: 'json',
    write: mcpServers,
  },
  zed: {
    title: 'Zed',
    file: 'settings.json',
    format: 'json',
    write: (args) => json({ context_servers: { [NAME]: { ...server(args), env: {} } } }),
  },
};
