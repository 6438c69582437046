import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import type { Environment } from './environment.ts';

/** What a running mock records for other commands on this machine. */
export interface RunningMock {
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly service: string | null;
  readonly provider: string | null;
  /** The file of the authority that signed its certificate; `null` where none is needed. */
  readonly ca: string | null;
  /** `null`: it cannot be controlled. */
  readonly control: RunningControl | null;
  /** Whether it answers from a transcript: there is nothing to control then. */
  readonly isReplay?: boolean;
  /** The real path of the file that keeps its data. */
  readonly database?: string;
}

/** A proxy with a live view. */
export interface RunningProxy {
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly started: number;
  /** The service that it stands in front of. */
  readonly to: string;
  /** Where the view is, an origin, and the token for a link to it. */
  readonly live: string;
  readonly token: string;
}

/** Where each part listens, and what its controls ask for. */
export interface RunningControl {
  readonly token: string;
  readonly service: string | null;
  readonly provider: string | null;
}

type Kind = 'mock' | 'proxy';

/**
 * The files of running processes, one each, in a folder of our own: `$XDG_RUNTIME_DIR/agent-auth`, else a folder in the
 * system's temporary one. There anybody could have made it first, so it counts only when it is ours and closed to
 * others.
 */
export class RuntimeFiles {
  readonly folder: string;

  constructor(environment: Environment) {
    this.folder =
      environment.runtimeDir === undefined
        ? join(tmpdir(), `agent-auth-${process.getuid?.() ?? 'user'}`)
        : join(environment.runtimeDir, 'agent-auth');
  }

  /** @throws Error of node:fs, or when the folder belongs to somebody else. */
  write(mock: RunningMock): void {
    this.#replace(this.#path('mock', mock.pid), JSON.stringify(mock));
  }

  /** @throws as {@link write}. */
  writeProxy(proxy: RunningProxy): void {
    this.#replace(this.#path('proxy', proxy.pid), JSON.stringify(proxy));
  }

  /**
   * The path of an authority's certificate, for clients to name. It goes when the process does.
   * @throws as {@link write}.
   */
  writeAuthority(pid: number, pem: string): string {
    const path = this.#path('mock', pid, '-ca.pem');
    this.#replace(path, pem);
    return path;
  }

  /** What a process wrote. */
  remove(pid: number, kind: Kind = 'mock'): void {
    for (const end of ['.json', '-ca.pem']) rmSync(this.#path(kind, pid, end), { force: true });
  }

  /** The mocks whose process runs, newest first. Files that a killed one left are removed. */
  list(): readonly RunningMock[] {
    return this.#list<RunningMock>('mock');
  }

  /** The same of the proxies. */
  listProxies(): readonly RunningProxy[] {
    return this.#list<RunningProxy>('proxy');
  }

  /** What is whole is believed: nobody else writes here. */
  #list<Running extends { readonly started: number }>(wanted: Kind): readonly Running[] {
    if (!this.isOurs()) return [];
    const found: Running[] = [];
    for (const name of readdirSync(this.folder)) {
      const [, kind, text, isAuthority] =
        /^(mock|proxy)-(\d+)(?:\.json|(-ca\.pem))$/.exec(name) ?? [];
      const pid = Number(text);
      if (kind !== wanted || (isAuthority && isAlive(pid))) continue;
      const record = readOwn(join(this.folder, name), pid);
      if (record !== undefined && isAlive(pid)) found.push(record as unknown as Running);
      else this.remove(pid, wanted);
    }
    return found.sort((a, b) => b.started - a.started);
  }

  #replace(path: string, text: string): void {
    // Not recursive: Node never returns from that below /proc, and the parent is there anyway.
    if (!existsSync(this.folder)) mkdirSync(this.folder, { mode: 0o700 });
    if (!this.isOurs()) throw new Error(`${this.folder} is not a closed folder of this user.`);
    const beside = `${path}.new`;
    rmSync(beside, { force: true });
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    chmodSync(beside, 0o600);
    renameSync(beside, path);
  }

  #path(kind: Kind, pid: number, end = '.json'): string {
    return join(this.folder, `${kind}-${pid}${end}`);
  }

  /** Whether the folder is there, is this user's, and is closed to others. */
  isOurs(): boolean {
    try {
      const stat = lstatSync(this.folder);
      if (!stat.isDirectory()) return false;
      // Windows has neither owners nor modes here; its temporary folder is the user's own.
      if (process.getuid === undefined) return true;
      return stat.uid === process.getuid() && (stat.mode & 0o077) === 0;
    } catch {
      return false;
    }
  }
}

/** Far more than one of these files has. Bytes. */
const LIMIT = 64 * 1024;

/** What the process wrote; undefined for what it did not write, or not whole. */
function readOwn(path: string, pid: number): JsonObject | undefined {
  try {
    // A FIFO would be waited for, and a link lead elsewhere.
    const about = lstatSync(path);
    if (!about.isFile() || about.size > LIMIT) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isJsonObject(value) && value['pid'] === pid ? value : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
