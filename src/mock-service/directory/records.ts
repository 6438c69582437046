import type { Reader } from '../../mock/index.ts';
import { cell } from './cells.ts';
import type { Data } from './data.ts';
import { groupRows } from './group-rows.ts';

/** `data` of `/api/versions`, newest first. */
export async function readVersions(reader: Reader): Promise<readonly Data[]> {
  const rows = await reader.all(
    'SELECT * FROM directory_versions ORDER BY release_date DESC NULLS LAST, seq',
  );
  return rows.map((row) => ({
    version: cell.decimal(row['version']),
    release_date: cell.text(row['release_date']),
  }));
}

/** `data` of `/api/changelog`, newest first. */
export async function readChangelog(reader: Reader): Promise<readonly Data[]> {
  const rows = await reader.all(
    'SELECT * FROM directory_changelog ORDER BY changed_on DESC NULLS LAST, seq',
  );
  const changes = groupRows(
    await reader.all('SELECT * FROM directory_changes ORDER BY entry_seq, position'),
    'entry_seq',
  );
  return rows.map((row) => ({
    date: cell.text(row['changed_on']),
    changes:
      changes.get(String(row['seq']))?.map(({ change_text }) => cell.text(change_text)) ?? null,
  }));
}

/** `data` of `/server/codes`, ascending. */
export async function readCodes(reader: Reader): Promise<readonly Data[]> {
  const rows = await reader.all('SELECT * FROM directory_codes ORDER BY code NULLS FIRST, seq');
  return rows.map((row) => ({
    code: cell.integer(row['code']),
    message: cell.text(row['message']),
  }));
}
