import type { DocumentKind } from '../../discovery/document.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** A discovery document as it was read. */
export interface LintDocument {
  readonly kind: DocumentKind;
  /** As findings name it: a path below the folder, or a URL. */
  readonly name: string;
  /** The file that holds it, from the working folder; `undefined` for one from the network. */
  readonly file: string | undefined;
  /** Where it counts as served; `undefined` while nothing says so. */
  readonly url: string | undefined;
  readonly text: string;
  /** `undefined` for what is no JSON, or cannot be used as such. */
  readonly json: JsonObject | undefined;
}
