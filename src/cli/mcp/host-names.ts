/** The hosts whose configuration `--print-config` writes. */
export const HOST_NAMES = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'gemini-cli',
  'goose',
  'vscode',
  'windsurf',
  'zed',
] as const;

export type HostName = (typeof HOST_NAMES)[number];
