/**
 * Everything that is read from the environment. `help environment` prints this table, and
 * {@link readEnvironment} can read no name that is not in it.
 */
export const ENVIRONMENT_VARIABLES = {
  AGENT_AUTH_SERVICE: 'The service to use when no argument and no --service names one.',
  AGENT_AUTH_TOKEN:
    'An access token to use instead of the credential file, at the service that it is for alone: the one that the ' +
    'file has it for, else AGENT_AUTH_SERVICE, else the one that the command names.',
  AGENT_AUTH_HOME: 'The folder of the credential file.',
  AGENT_AUTH_CONTROL_TOKEN:
    'The token of the control API: that which mocks start with, in place of one made for each run, and that for --control of `conformance`; commands for a mock on this machine need none.',
  AGENT_AUTH_CONTEXT: 'The task of `conformance perform`; `conformance agent` sets it.',
  AGENT_AUTH_DB: 'The database of the mocks without --db. A URL here may contain a password.',
  AGENT_AUTH_MOCK_CONFIG:
    'The configuration of the mocks without --config: YAML, as it would stand in that file.',
  PGPASSWORD: 'The password for a PostgreSQL URL without one.',
  PGHOST: 'The host for a PostgreSQL URL without one; a folder is that of its socket.',
  PGPORT: 'The port for a PostgreSQL URL without one.',
  PGUSER: 'The user for a PostgreSQL URL without one.',
  PGDATABASE: 'The database for a PostgreSQL URL without one.',
  PGSSLMODE:
    'The sslmode for a PostgreSQL URL without one. With TLS the certificate is verified, except with no-verify.',
  XDG_CONFIG_HOME: 'Contains agent-auth/, the folder of the credential file, on Linux.',
  APPDATA: 'Contains agent-auth\\, the folder of the credential file, on Windows.',
  XDG_RUNTIME_DIR: 'Contains agent-auth/, where running mocks record their URLs.',
  HTTPS_PROXY: 'Proxy for every host except this machine; https_proxy takes precedence.',
  HTTP_PROXY: 'The same where HTTPS_PROXY is not set; http_proxy takes precedence.',
  NO_PROXY: 'Hosts to reach without a proxy, separated by commas; no_proxy takes precedence.',
  NODE_EXTRA_CA_CERTS:
    'A file of CA certificates that Node trusts in addition to its own; --ca adds more.',
  NODE_TLS_REJECT_UNAUTHORIZED:
    'No effect: certificates are always verified, even with 0; --ca adds a trusted CA.',
  NO_COLOR: 'When set, no colour.',
  FORCE_COLOR: 'When set, colour without a terminal too; 0 means none. Overrides NO_COLOR.',
  TERM: 'dumb: no colour and no drawing.',
  CI: 'When set, no browser is opened by itself.',
  SSH_CONNECTION: 'When set, no browser is opened by itself.',
  SSH_TTY: 'When set, no browser is opened by itself.',
  DISPLAY: 'On Linux, a browser needs this or WAYLAND_DISPLAY.',
  WAYLAND_DISPLAY: 'On Linux, a browser needs this or DISPLAY.',
  container: 'When set, no browser is opened by itself.',
  npm_command:
    'When set, npm runs the program: suggested commands start with npx, as they do in an installation of a project.',
} as const satisfies Record<string, string>;

type VariableName = keyof typeof ENVIRONMENT_VARIABLES;

/** `undefined` and the empty string are the same here: not set. */
export type EnvironmentSource = Readonly<Record<string, string | undefined>>;

export interface Environment {
  readonly service: string | undefined;
  /** A file or a URL; it may contain a password and is never shown. */
  readonly database: string | undefined;
  readonly runtimeDir: string | undefined;
  /** A secret: never shown. */
  readonly controlToken: string | undefined;
  /** YAML. Unlike a file it may be seen by other programs of the user, so it holds no secret. */
  readonly mockConfig: string | undefined;
  /** The task of `conformance perform`, as JSON. */
  readonly performContext: string | undefined;
  /** `undefined`: the terminal decides. */
  readonly color: boolean | undefined;
  readonly dumbTerminal: boolean;
  /** Why a browser that is opened here would not be seen. */
  readonly headless: () => HeadlessReason | undefined;
  /** How the user called the program: what a printed command starts with. */
  readonly programName: string;
  /** Where this program is installed, unless npx keeps it in its cache for a while; `undefined`: not known. */
  readonly programFile: string | undefined;
  /** The environment for the library, which reads the places of its credential file by itself. */
  readonly source: EnvironmentSource;
}

export type HeadlessReason = 'ci' | 'ssh' | 'container' | 'no_display';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly inContainer: () => boolean;
  /** The file that Node was started with, without links. Left out: not known. */
  readonly programFile?: () => string | undefined;
}

export function readEnvironment(source: EnvironmentSource, machine: Machine): Environment {
  const read = (name: VariableName): string | undefined => source[name] || undefined;
  return {
    service: read('AGENT_AUTH_SERVICE'),
    database: read('AGENT_AUTH_DB'),
    runtimeDir: read('XDG_RUNTIME_DIR'),
    controlToken: read('AGENT_AUTH_CONTROL_TOKEN'),
    mockConfig: read('AGENT_AUTH_MOCK_CONFIG'),
    performContext: read('AGENT_AUTH_CONTEXT'),
    color: readColor(read),
    dumbTerminal: read('TERM') === 'dumb',
    headless: () => readHeadless(read, machine),
    programName:
      read('npm_command') !== undefined || isOfProject(machine.programFile?.())
        ? 'npx agent-auth'
        : 'agent-auth',
    programFile: lastingFile(machine.programFile?.()),
    source,
  };
}

/** Below the `node_modules` of a project no PATH leads here; a global installation is below `lib` or `npm`. */
function isOfProject(file: string | undefined): boolean {
  return file !== undefined && /(?<![\\/](?:lib|npm))[\\/]node_modules[\\/]/.test(file);
}

/** npx empties its cache at will. */
function lastingFile(file: string | undefined): string | undefined {
  return file === undefined || /[\\/]_npx[\\/]/.test(file) ? undefined : file;
}

type Read = (name: VariableName) => string | undefined;

/** The same precedence as Node's own, so that libraries that draw agree with us. */
function readColor(read: Read): boolean | undefined {
  const force = read('FORCE_COLOR');
  if (force !== undefined) return force !== '0' && force !== 'false';
  return read('NO_COLOR') === undefined ? undefined : false;
}

function readHeadless(read: Read, machine: Machine): HeadlessReason | undefined {
  if (read('CI')) return 'ci';
  if (read('SSH_CONNECTION') || read('SSH_TTY')) return 'ssh';
  if (machine.inContainer() || read('container')) return 'container';
  if (machine.platform !== 'linux') return undefined;
  return read('DISPLAY') || read('WAYLAND_DISPLAY') ? undefined : 'no_display';
}
