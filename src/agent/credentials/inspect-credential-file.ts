import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { STALE } from './file-lock.ts';
import { type CredentialFileOptions, credentialFolder, credentialPath } from './location.ts';

/** How the place of the credential file looks, without making or changing anything. */
export interface CredentialPlace {
  readonly folder: string;
  readonly path: string;
  /** Permission bits; `null`: it is not there. */
  readonly folderMode: number | null;
  readonly fileMode: number | null;
  /** Whether a file can be written there, or the folder made. */
  readonly writable: boolean;
  /** `abandoned`: left by a process that died; the next one that writes takes it over. */
  readonly lock: 'free' | 'held' | 'abandoned';
}

export async function inspectCredentialFile(
  options: CredentialFileOptions = {},
): Promise<CredentialPlace> {
  const folder = credentialFolder(options);
  const path = credentialPath(folder, options.platform ?? process.platform);
  return {
    folder,
    path,
    folderMode: await modeOf(folder),
    fileMode: await modeOf(path),
    writable: await isWritable(folder),
    lock: await lockOf(path),
  };
}

async function modeOf(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).mode & 0o777;
  } catch {
    return null;
  }
}

/** A folder that is missing can be made where the nearest one above it takes it. */
async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return (await lstat(folder)).isDirectory();
  } catch {
    const parent = dirname(folder);
    return (await modeOf(folder)) === null && parent !== folder && isWritable(parent);
  }
}

async function lockOf(path: string): Promise<CredentialPlace['lock']> {
  try {
    const { mtimeMs } = await lstat(`${path}.lock`);
    return Date.now() - mtimeMs > STALE ? 'abandoned' : 'held';
  } catch {
    return 'free';
  }
}
