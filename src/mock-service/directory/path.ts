/** What an answer can be had as. */
const FORMATS = ['json', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/** A request's path, taken apart. */
export interface DirectoryPath {
  /** Decoded, without the format: `['v2', 'buildings', 'list']`. */
  readonly segments: readonly string[];
  readonly format: Format;
}

/**
 * Takes the path of a directory method apart. `undefined` when it is the path of none: no known format
 * at its end, or a segment that is empty or, once decoded, holds what separates: dots, slashes, controls.
 */
export function readDirectoryPath(pathname: string): DirectoryPath | undefined {
  const [, path = '', ending] = /^\/(.*)\.([^./]*)$/.exec(pathname) ?? [];
  const format = FORMATS.find((known) => known === ending);
  const segments = path.split('/').map(decodeSegment);
  if (format === undefined || !segments.every((segment) => segment !== undefined)) return undefined;
  return { segments, format };
}

/** Whether a path is the directory's to answer, known or not. */
export function isDirectoryPath(pathname: string): boolean {
  return /^\/(?:api\/services|v2)(?![A-Za-z0-9_-])/.test(pathname);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const SEPARATING = /[./\\\u0000-\u001f\u007f]/;

function decodeSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return text === '' || SEPARATING.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
