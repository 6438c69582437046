import { lstatSync } from 'node:fs';
import type { Context } from '../shell/context.ts';
import { RuntimeFiles } from '../shell/runtime-files.ts';
import { type Check, type CheckGroup, failed, ok, warn } from './check.ts';

/** The files of this user. Nothing is created or changed. */
export async function checkPlaces(context: Context): Promise<CheckGroup> {
  return {
    title: 'Files',
    checks: [
      ...(await checkCredentials(context)),
      checkRuntimeFolder(new RuntimeFiles(context.world.environment)),
      checkMocks(new RuntimeFiles(context.world.environment)),
    ],
  };
}

async function checkCredentials(context: Context): Promise<readonly Check[]> {
  const place = await context.world.inspectCredentials();
  const { folder, path, folderMode, fileMode, writable, lock } = place;
  const details = { folder, path, folder_mode: octal(folderMode), file_mode: octal(fileMode) };
  const checks: Check[] = [];
  try {
    const store = await context.world.openStore();
    await store.read();
    checks.push(
      fileMode === null
        ? ok('credentials', `No credentials yet; they will be stored in ${path}.`, { details })
        : ok('credentials', `${path}, ${modes(folderMode, fileMode)}.`, { details }),
    );
  } catch (error) {
    checks.push({ ...failed('credentials', error, context), details });
  }
  if (!writable) {
    checks.push({
      id: 'credentials_writable',
      status: 'fail',
      summary: `The folder ${folder} is not writable.`,
      hint: 'Set AGENT_AUTH_HOME to a folder that you can write to.',
    });
  }
  if (folderMode !== null && (folderMode & 0o077) !== 0) {
    checks.push(
      warn('credentials_folder', `Other users can look into ${folder} (${octal(folderMode)}).`, {
        hint: 'The next write restricts its mode, unless the folder has another use.',
      }),
    );
  }
  checks.push(LOCKS[lock]);
  return checks;
}

const LOCKS = {
  free: ok('lock', 'The credential file is not locked.'),
  held: warn('lock', 'Another process is writing the credential file right now.', {
    hint: 'Commands wait for it; check again in a few seconds.',
  }),
  abandoned: ok(
    'lock',
    'A process died while writing the credential file; the next write takes over the lock.',
  ),
} as const;

function checkRuntimeFolder(files: RuntimeFiles): Check {
  const mode = modeOf(files.folder);
  const details = { folder: files.folder, mode: octal(mode) };
  if (mode === null) {
    return ok('runtime_folder', `${files.folder} is created when a mock starts.`, { details });
  }
  if (files.isOurs()) return ok('runtime_folder', `${files.folder}, ${octal(mode)}.`, { details });
  return warn('runtime_folder', `${files.folder} is not a private folder of this user.`, {
    hint: 'Running mocks cannot be found there. Restrict it with chmod 700, or set XDG_RUNTIME_DIR.',
    details,
  });
}

function checkMocks(files: RuntimeFiles): Check {
  const mocks = files
    .list()
    .map(({ pid, service, provider, ca }) => ({ pid, service, provider, ca }));
  const shown = mocks.flatMap(({ service, provider, ca }) =>
    [
      service === null ? [] : [`service ${service}`],
      provider === null ? [] : [`provider ${provider}`],
    ].flatMap(([each]) =>
      each === undefined ? [] : [ca === null ? each : `${each} (--ca ${ca})`],
    ),
  );
  return ok('mocks', shown.length === 0 ? 'No mock is running.' : `Mocks: ${shown.join(', ')}.`, {
    details: { mocks },
  });
}

function modes(folder: number | null, file: number): string {
  return `${octal(file)} in a folder with ${octal(folder) ?? 'no mode'}`;
}

function octal(mode: number | null): string | null {
  return mode === null ? null : mode.toString(8).padStart(4, '0');
}

function modeOf(path: string): number | null {
  try {
    return lstatSync(path).mode & 0o777;
  } catch {
    return null;
  }
}
