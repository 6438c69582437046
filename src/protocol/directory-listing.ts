import { parseJsonObject } from './json.ts';
import {
  type DirectoryMeta,
  type DirectoryServices,
  directoryMeta,
  directoryServices,
} from './schemas/directory.ts';

/** The listing of a service directory, with null for what is missing; or why there is none. */
export type DirectoryReading =
  | { readonly ok: true; readonly meta: DirectoryMeta; readonly services: DirectoryServices }
  | { readonly ok: false; readonly problem: 'not_json' | 'not_a_listing' }
  /** The answer reports a status other than success, with HTTP's meaning. */
  | {
      readonly ok: false;
      readonly problem: 'refused';
      readonly status: number;
      /** The directory's own words. Untrusted text. */
      readonly message: string | null;
    };

/** Reads what a service directory answered: its listing, or why it is none. */
export function readDirectoryListing(text: string): DirectoryReading {
  const body = parseJsonObject(text);
  if (!body.ok) return { ok: false, problem: 'not_json' };
  const meta = directoryMeta.safeParse(body.value['meta']);
  if (!meta.success) return { ok: false, problem: 'not_a_listing' };
  const { message, status } = meta.data;
  if (status !== 200 && status !== 204) return { ok: false, problem: 'refused', status, message };
  const services = directoryServices.safeParse(body.value['data'] ?? []);
  if (!services.success) return { ok: false, problem: 'not_a_listing' };
  return { ok: true, meta: meta.data, services: services.data };
}
