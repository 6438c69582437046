import {
  CREDENTIALS_SCHEMA,
  type CredentialFile,
  credentialFile,
  displayText,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Credentials } from '../model.ts';
import { decodeCredentials, encodeCredentials } from './file-codec.ts';
import { LockLost, lockedByAnother, takeNamedLock, withFileLock } from './file-lock.ts';
import { type CredentialFileOptions, credentialFolder, credentialPath } from './location.ts';
import { NO_CREDENTIALS } from './memory-store.ts';
import {
  preparePrivateFolder,
  readPrivateFile,
  replacePrivateFile,
  tryPrivateFile,
  versionOf,
} from './private-file.ts';
import type { CredentialStore } from './store.ts';

/**
 * The credential file of this user (cli.md, "Credentials"). Nothing is touched before it is needed; a
 * file that is missing is empty. `location` is its path.
 */
export function openCredentialFile(options: CredentialFileOptions = {}): CredentialStore {
  const path = credentialPath(credentialFolder(options), options.platform ?? process.platform);
  return {
    location: path,
    read: async () => decode(await readFile(path)),
    update: async (change) => {
      await preparePrivateFolder(path);
      for (let tries = 1; ; tries += 1) {
        try {
          return await updateOnce(path, change);
        } catch (error) {
          if (!(error instanceof LockLost)) throw error;
          if (tries === TRIES) throw lockedByAnother(path, error);
        }
      }
    },
    probeWritable: async () => {
      await preparePrivateFolder(path);
      await withFileLock(path, async () => {
        await readFile(path);
        await tryPrivateFile(path);
      });
    },
    lock: async (name, waiting = {}) => {
      await preparePrivateFolder(path);
      return takeNamedLock(path, name, waiting);
    },
  };
}

/** A lock is lost when the machine sleeps, or is so busy that another process takes it for abandoned. */
const TRIES = 5;

function updateOnce<T>(
  path: string,
  change: (current: Credentials) => readonly [next: Credentials, result: T],
): Promise<T> {
  return withFileLock(path, async (confirm) => {
    const version = versionOf(path);
    const before = await readFile(path);
    const current = decode(before);
    const [next, result] = change(current);
    if (next === current) return result;
    const file = encodeCredentials(next, before);
    await replacePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`, () => {
      confirm();
      // What another process wrote meanwhile, believing as we do that the lock is its own, is not undone.
      if (versionOf(path) !== version) throw new LockLost();
    });
    return result;
  });
}

function decode(file: CredentialFile | null): Credentials {
  return file === null ? NO_CREDENTIALS : decodeCredentials(file);
}

async function readFile(path: string): Promise<CredentialFile | null> {
  const text = await readPrivateFile(path);
  if (text === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message may quote the file, and with it a secret.
    throw broken(path, 'it is not JSON');
  }
  const result = credentialFile.safeParse(value);
  if (result.success) return result.data;
  const schema = schemaOf(value);
  if (isOtherVersion(schema)) {
    throw new AgentError(
      `The credential file ${path} was written by another version (${displayText(schema, 60)}).`,
      {
        code: 'credentials_version',
        hint: 'Name another folder in AGENT_AUTH_HOME, or move the file away and register again.',
      },
    );
  }
  const member = result.error.issues[0]?.path.join('.');
  throw broken(
    path,
    member ? `${member} is missing or not what it must be` : 'it is not an object',
  );
}

function schemaOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'schema' in value
    ? String(value.schema)
    : '';
}

function isOtherVersion(schema: string): boolean {
  const [name] = CREDENTIALS_SCHEMA.split('/');
  return schema !== CREDENTIALS_SCHEMA && schema.startsWith(`${name}/`);
}

function broken(path: string, why: string): AgentError {
  return new AgentError(
    `The credential file ${path} cannot be understood: ${why}. It was left as it is.`,
    {
      code: 'credentials_broken',
      hint: 'Repair it, or move it away and register again.',
    },
  );
}
