/** Statements that bring a database one step further. */
export interface Migration {
  /** `FAMILY-NUMBER`. Each owner of tables has a family; several may live in one database. */
  readonly id: string;
  readonly statements: readonly string[];
}
