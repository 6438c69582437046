/** The tables of one owner, as they are made. Several owners may live in one database. */
export interface TableSet {
  /** Whose they are: `service`. */
  readonly name: string;
  readonly statements: readonly string[];
}
