import type { Explained } from '../../traffic/index.ts';
import { KnownDocuments } from './known-documents.ts';
import { KnownSecrets } from './known-secrets.ts';

/** What was learned from the exchanges so far: the rules share it. */
export class KnownTraffic {
  readonly secrets = new KnownSecrets();
  readonly documents = new KnownDocuments();

  /** After the rules have judged it. */
  learn(explained: Explained): void {
    this.secrets.learn(explained);
    this.documents.learn(explained);
  }
}
