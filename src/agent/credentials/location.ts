import { homedir, userInfo } from 'node:os';
import { isAbsolute, posix, win32 } from 'node:path';
import { AgentError } from '../agent-error.ts';

/** What the place of the credential file depends on. */
export interface CredentialFileOptions {
  /** Default: the process's own. Read: `AGENT_AUTH_HOME`, `XDG_CONFIG_HOME`, `APPDATA`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The platform, as `process.platform` names it. Default: this machine's. */
  readonly platform?: string | undefined;
  /** Default: the user's. */
  readonly homeDirectory?: string | undefined;
}

/**
 * The folder of the credential file (cli.md, "Credentials"). The empty string is not set.
 * @throws AgentError `credentials_not_readable` where the user's folder cannot be told.
 */
export function credentialFolder(options: CredentialFileOptions = {}): string {
  const environment = options.environment ?? process.env;
  const platform = options.platform ?? process.platform;
  const { join, resolve } = platform === 'win32' ? win32 : posix;

  const own = environment['AGENT_AUTH_HOME'];
  if (own) return resolve(own);
  const xdg = environment['XDG_CONFIG_HOME'];
  // The XDG Base Directory Specification has a relative path ignored.
  if (xdg && posix.isAbsolute(xdg) && platform !== 'win32') return join(xdg, 'agent-auth');
  const home = options.homeDirectory ?? systemHome();
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'agent-auth');
    case 'win32':
      return join(environment['APPDATA'] || join(home, 'AppData', 'Roaming'), 'agent-auth');
    default:
      return join(home, '.config', 'agent-auth');
  }
}

/** The file in it. */
export function credentialPath(folder: string, platform: string): string {
  return (platform === 'win32' ? win32 : posix).join(folder, 'credentials.json');
}

/** The user's folder by HOME; where that is no absolute path, by the system's list of users. */
function systemHome(): string {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : userInfo().homedir;
  } catch (error) {
    throw new AgentError('This user has no home folder, so there is no place for credentials.', {
      code: 'credentials_not_readable',
      hint: 'Name a folder in AGENT_AUTH_HOME.',
      cause: error,
    });
  }
}
