import { shellWord } from '../../runtime/index.ts';
import type { HostName } from './host-names.ts';

/** How a host is told to start this server. */
export interface Host {
  readonly title: string;
  /** Where its configuration is. */
  readonly file: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /** The configuration, or the part of it that is about this server. */
  readonly write: (start: Start) => string;
  /** A command of the host that writes it. */
  readonly command?: (start: Start) => string;
}

const NAME = 'agent-auth';

/** What a host starts. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The published package, which npx installs where it is not there.
 * @param options of `agent-auth mcp`.
 */
export function publishedStart(options: readonly string[]): Start {
  return { command: 'npx', args: ['-y', NAME, 'mcp', ...options] };
}

/** A program that is installed on this machine, whatever folder the host works in. */
export function installedStart(file: string, options: readonly string[]): Start {
  return { command: 'node', args: [file, 'mcp', ...options] };
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const server = ({ command, args }: Start) => ({ command, args });
const mcpServers = (start: Start) => json({ mcpServers: { [NAME]: server(start) } });
const shellLine = (words: readonly string[]) => words.map(shellWord).join(' ');

export const HOSTS: Readonly<Record<HostName, Host>> = {
  'claude-code': {
    title: 'Claude Code',
    file: '.mcp.json in the project',
    format: 'json',
    write: mcpServers,
    command: ({ command, args }) =>
      shellLine(['claude', 'mcp', 'add', NAME, '--', command, ...args]),
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
    write: ({ command, args }) =>
      [
        `[mcp_servers.${NAME}]`,
        `command = ${JSON.stringify(command)}`,
        `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
      ].join('\n'),
    command: ({ command, args }) =>
      shellLine(['codex', 'mcp', 'add', NAME, '--', command, ...args]),
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
    write: ({ command, args }) =>
      [
        'extensions:',
        `  ${NAME}:`,
        `    name: ${NAME}`,
        '    type: stdio',
        '    enabled: true',
        `    cmd: ${command}`,
        '    args:',
        ...args.map((arg) => `      - ${JSON.stringify(arg)}`),
        '    timeout: 300',
      ].join('\n'),
  },
  vscode: {
    title: 'VS Code',
    file: '.vscode/mcp.json in the project',
    format: 'json',
    write: (start) => json({ servers: { [NAME]: { type: 'stdio', ...server(start) } } }),
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
    write: (start) => json({ context_servers: { [NAME]: { ...server(start), env: {} } } }),
  },
};
