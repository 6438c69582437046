/**
 * A service of the directory, with the members of the listing (directory specification, Resources and their
 * fields). Any of them may be null; what is left out is.
 */
export interface DirectoryService {
  /** A whole number; `null` is listed as `null`. */
  readonly service_id?: number | null | undefined;
  /** Its name; `null` is listed as `null`. */
  readonly service_name?: string | null | undefined;
  /** A path below the base URL, without a final slash, or a full URL. */
  readonly service_url?: string | null | undefined;
  readonly methods?: readonly DirectoryMethod[] | null | undefined;
}

/** A method of a {@link DirectoryService}; `null` is listed as `null`. */
export interface DirectoryMethod {
  readonly method_id?: number | null | undefined;
  /** Relative to `service_url`: `/{building}/courses.{format}`. */
  readonly method_url?: string | null | undefined;
}

/** What the directory lists in place of the published services. */
export interface DirectoryOption {
  readonly services: readonly DirectoryService[];
}
